package dev.outrider.experiment.run;

import dev.outrider.common.PrefixSharing;
import dev.outrider.common.PrefixSharing.KeptPrompts;
import dev.outrider.common.PrefixSharing.Reading;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.ForwardingTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A target that declares to read prompts once, keeps the last of them, and takes longer for each.
record SharingTarget(TargetModel target, FakeClock clock, int most) implements ForwardingTarget {
    /// The time of the first reading; each later one takes [#MORE] longer than the one before.
    static final long READ = 100_000;

    static final long MORE = 1_000;

    /// The number of prompts that all objects have read since the start of the last test.
    static final List<List<Integer>> READS = new ArrayList<>();

    /// The number of stores that were opened and not closed.
    static final List<Object> OPEN = new ArrayList<>();

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return type == PrefixSharing.class
                ? Optional.of(type.cast((PrefixSharing) this::keep))
                : Optional.empty();
    }

    private KeptPrompts keep(long bytes, Set<HiddenState> states) {
        var kept = new Kept(new ArrayList<>());
        OPEN.add(kept);
        return kept;
    }

    private final class Kept implements KeptPrompts {
        private final List<List<Integer>> prompts;

        Kept(List<List<Integer>> prompts) {
            this.prompts = prompts;
        }

        @Override
        public Reading read(int[] tokens) {
            var prompt = Arrays.stream(tokens).boxed().toList();
            if (prompts.contains(prompt)) {
                return Reading.KNOWN;
            }
            clock.advance(READ + MORE * READS.size());
            READS.add(prompt);
            prompts.add(prompt);
            if (prompts.size() > most) {
                prompts.removeFirst();
            }
            return Reading.READ;
        }

        @Override
        public int read(int[] tokens, int rows) {
            throw new UnsupportedOperationException("prompts are read whole");
        }

        @Override
        public void abandon(int[] tokens) {
            throw new UnsupportedOperationException("prompts are read whole");
        }

        @Override
        public long bytes() {
            return prompts.size();
        }

        @Override
        public void close() {
            OPEN.remove(this);
        }
    }
}
