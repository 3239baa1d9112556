package dev.outrider.drafter.lookup.recycle;

import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.StreamCoins;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftRequest;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.HiddenState;
import dev.outrider.spi.HiddenStates;
import dev.outrider.spi.SamplingPolicy;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/// What sequences leave for later ones is a register: a sequence starts from the matrix of the one that closed last, whole, and never
/// from a part of it. The model checker runs the schedules of two threads at the level of single reads and writes.
public class KeptSuccessorsThreadsTest {
    private static final int VOCABULARY = 4;

    private final TokenRecyclingDrafter drafter =
            new TokenRecyclingDrafter(
                    new TokenRecyclingConfig(2, 2, Optional.empty(), true, true), VOCABULARY);
    private final DraftSession one = begun(0, 1, 2);
    private final DraftSession other = begun(0, 3, 1);

    /// A sequence ends.
    @Operation(runOnce = true)
    public void closeOne() {
        one.close();
    }

    /// Another sequence ends.
    @Operation(runOnce = true)
    public void closeOther() {
        other.close();
    }

    /// {@return what a new sequence drafts after token 0, as digits of a number}
    @Operation
    public int draft() {
        var session = begun(0);
        var coins = new StreamCoins(new KeyedRandomStreams(1, 1), 0);
        var tree = session.propose(new DraftBudget(2, 2), coins).tree();
        int digits = tree.size();
        for (int node = 1; node < tree.size(); node++) {
            digits = 10 * digits + tree.token(node);
        }
        return digits;
    }

    @Test
    void everyScheduleOfTwoThreadsIsOneAfterTheOther() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .iterations(4)
                .invocationsPerIteration(60)
                .check(getClass());
    }

    private DraftSession begun(int... prompt) {
        var session = drafter.open(new DraftRequest(8, SamplingPolicy.argmax()));
        session.begin(prompt, new NoStates());
        return session;
    }

    private record NoStates() implements HiddenStates {
        @Override
        public int size() {
            return 0;
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            throw new IndexOutOfBoundsException(index);
        }

        @Override
        public void close() {}
    }
}
