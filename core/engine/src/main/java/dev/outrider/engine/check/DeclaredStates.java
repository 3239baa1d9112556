package dev.outrider.engine.check;

import static dev.outrider.engine.check.Contract.require;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// Hidden states of which a drafter may read those it asked for, while the call lasts that handed them over.
class DeclaredStates implements HiddenStates {
    private final HiddenStates states;
    private final Set<HiddenState> declared;
    private final String reader;
    private boolean over;

    /// @param declared what the drafter asked for
    /// @param reader   names the drafter and the round
    DeclaredStates(HiddenStates states, Set<HiddenState> declared, String reader) {
        this.states = states;
        this.declared = declared;
        this.reader = reader;
    }

    @Override
    public final int size() {
        return states.size();
    }

    @Override
    public final MemorySegment hidden(HiddenState which, int index) {
        requireReadable(index, "the hidden state");
        require(
                declared.contains(which),
                reader,
                "read %s of node %d, expected one of %s, which it asked for",
                which,
                index,
                declared);
        return states.hidden(which, index);
    }

    /// The call is over; whatever was handed over may not be read any more.
    @Override
    public final void close() {
        over = true;
    }

    /// @param what the thing that is read, as errors call it
    void requireReadable(int index, String what) {
        require(
                !over,
                reader,
                "read %s of node %d after the call that handed it over, expected a copy of its own",
                what,
                index);
    }

    final String reader() {
        return reader;
    }
}
