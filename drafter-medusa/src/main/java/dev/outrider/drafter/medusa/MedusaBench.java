package dev.outrider.drafter.medusa;

import dev.outrider.drafting.bench.BenchWatch;
import dev.outrider.drafting.bench.DraftTimes;
import dev.outrider.drafting.bench.HeadBench;
import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;

/// The configuration of `bench-draft medusa`.
public record MedusaBench(
        @Doc("What drafts are timed against.") @Default("{}") TimedTarget target,
        @Doc("Number of heads.") @Default("4") int heads,
        @Doc("Whose vocabulary projection they use.") @Default("target")
                HeadPlan.Projection projection,
        @Doc("Best tokens read of each head.") @Default("10") int ranks,
        @Doc("Times each variant is measured.") @Default("30") int turns) {
    public MedusaBench {
        HeadBench.requirePositive("heads, ranks and turns", heads, ranks, turns);
    }

    /// `bench-draft medusa`.
    public static final class Bench extends HeadBench<MedusaBench> {
        public Bench() {
            super(
                    "medusa",
                    MedusaBench.class,
                    "Times a whole Medusa draft against a target pass of one row.",
                    "Their ratio is what a draft costs.",
                    "bench-draft medusa --shape tinyllama-1.1b --heads 4",
                    "bench-draft medusa --shape tinyllama-1.1b --heads 4 --projection own");
        }

        @Override
        protected Plan plan(MedusaBench config) {
            return new Plan(
                    config.target(),
                    1,
                    config.turns(),
                    config.heads(),
                    target -> new Guessing(config, target),
                    "%d heads, %s projection"
                            .formatted(
                                    config.heads(),
                                    config.projection().name().toLowerCase(Locale.ROOT)),
                    "",
                    OptionalDouble.empty());
        }

        @Override
        public Set<String> drafters() {
            return Set.of("medusa");
        }

        @Override
        public DraftTimes times(String drafter, TimedTarget target, int length, BenchWatch watch) {
            return perDraft(
                    new MedusaBench(target, length, HeadPlan.Projection.TARGET, 10, 30), watch);
        }
    }

    /// Heads over random weights, whose best tokens are read.
    private static final class Guessing implements HeadBench.TimedDraft {
        private final VectorHeads heads;
        private final int ranks;
        private final Arena arena = Arena.ofConfined();
        private final MemorySegment state;

        Guessing(MedusaBench config, VectorNetwork target) {
            boolean own = config.projection() == HeadPlan.Projection.OWN;
            var shape = config.target().decoder();
            heads =
                    new VectorHeads(
                            new RandomHeads(
                                    shape,
                                    config.heads(),
                                    own ? Projection.PER_HEAD : Projection.TARGET),
                            config.heads(),
                            config.target().precision(),
                            own ? Optional.empty() : Optional.of(new TargetWeights.Own(target)),
                            new int[0]);
            ranks = config.ranks();
            state = arena.allocate(ValueLayout.JAVA_FLOAT, shape.hiddenSize());
            for (int index = 0; index < shape.hiddenSize(); index++) {
                state.setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) Math.sin(index));
            }
        }

        @Override
        public void draft() {
            if (heads.guess(state, ranks, false).tokens().length != heads.count()) {
                throw new IllegalStateException("heads are missing");
            }
        }

        @Override
        public void close() {
            heads.close();
            arena.close();
        }
    }

    /// Random heads of one block for a target's shape. Numbers are uniform with standard deviation 0.02.
    private record RandomHeads(DecoderConfig target, int heads, Projection projection)
            implements HeadWeights {
        private static final double BOUND = 0.02 * Math.sqrt(3);

        @Override
        public int hiddenSize() {
            return target.hiddenSize();
        }

        @Override
        public int rows() {
            return target.vocabularySize();
        }

        @Override
        public int layers() {
            return 1;
        }

        @Override
        public boolean biased() {
            return true;
        }

        @Override
        public float[] block(int head, int layer) {
            return random(3L * head, hiddenSize() * hiddenSize());
        }

        @Override
        public float[] bias(int head, int layer) {
            return random(3L * head + 1, hiddenSize());
        }

        @Override
        public float[] projection(int head) {
            return random(3L * head + 2, rows() * hiddenSize());
        }

        private static float[] random(long seed, int count) {
            var random = new SplittableRandom(seed);
            var values = new float[count];
            for (int i = 0; i < count; i++) {
                values[i] = (float) (random.nextInt() * 0x1p-31 * BOUND);
            }
            return values;
        }
    }
}
