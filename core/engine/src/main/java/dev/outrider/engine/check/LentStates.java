package dev.outrider.engine.check;

import dev.outrider.spi.HiddenState;
import dev.outrider.spi.HiddenStates;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Hidden states for a thread that does not own them. The owner copies each row that is read, so that nothing native of the target is
/// ever in the hands of a thread that may be left behind.
class LentStates implements HiddenStates {
    private final HiddenStates states;
    private final Loan loan;

    LentStates(HiddenStates states, Loan loan) {
        this.states = states;
        this.loan = loan;
    }

    @Override
    public final int size() {
        return loan.ask(states::size);
    }

    @Override
    public final MemorySegment hidden(HiddenState which, int index) {
        return loan.ask(() -> copy(states.hidden(which, index)));
    }

    /// The garbage collector frees the copy.
    static MemorySegment copy(MemorySegment row) {
        return Arena.ofAuto().allocate(row.byteSize(), Float.BYTES).copyFrom(row);
    }

    /// Does nothing: the owner closes what it lent.
    @Override
    public final void close() {}
}
