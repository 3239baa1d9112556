package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.HeadPlan;
import dev.outrider.drafter.medusa.TargetWeights;
import dev.outrider.drafting.TopTokens;
import dev.outrider.drafting.bench.BenchWatch;
import dev.outrider.drafting.bench.DraftTimes;
import dev.outrider.drafting.bench.HeadBench;
import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.drafting.head.HeadTensors;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;

/// The configuration of `bench-draft sequence`.
public record SequenceBench(
        @Doc("What drafts are timed against.") @Default("{}") TimedTarget target,
        @Doc("Whose heads.") @Default("hydra") Kind kind,
        @Doc("Guesses of a chain.") @Default("4") int length,
        @Doc("Residual blocks of a head.") @Default("1") int layers,
        @Doc("Whose vocabulary projection they use.") @Default("target")
                HeadPlan.Projection projection,
        @Doc("Times each variant is measured.") @Default("20") int turns) {
    /// Kinds of heads that see the tokens drafted before.
    public enum Kind {
        HYDRA,
        REDRAFTER
    }

    public SequenceBench {
        HeadBench.requirePositive("length, layers and turns", length, layers, turns);
    }

    /// `bench-draft sequence`.
    public static final class Bench extends HeadBench<SequenceBench> {
        public Bench() {
            super(
                    "sequence",
                    SequenceBench.class,
                    "Times a chain of Hydra's or ReDrafter's guesses against a target pass of one row.",
                    "A draft over its number of guesses is c.",
                    "bench-draft sequence --shape tinyllama-1.1b --kind hydra --length 4",
                    "bench-draft sequence --shape tinyllama-1.1b --kind redrafter --length 4 --projection own");
        }

        @Override
        protected Plan plan(SequenceBench config) {
            return new Plan(
                    config.target(),
                    1,
                    config.turns(),
                    config.length(),
                    target -> new Chain(config, target),
                    "%s, chain of %d"
                            .formatted(
                                    config.kind().name().toLowerCase(Locale.ROOT), config.length()),
                    "%d blocks, projection %s"
                            .formatted(
                                    config.layers(),
                                    config.projection().name().toLowerCase(Locale.ROOT)),
                    OptionalDouble.empty());
        }

        @Override
        public Set<String> drafters() {
            return Set.of("hydra", "redrafter");
        }

        @Override
        public DraftTimes times(String drafter, TimedTarget target, int length, BenchWatch watch) {
            var kind = Kind.valueOf(drafter.toUpperCase(Locale.ROOT));
            return perStep(
                    new SequenceBench(target, kind, length, 1, HeadPlan.Projection.TARGET, 20),
                    watch);
        }
    }

    /// The best token after every token, as often as the heads guess.
    private static final class Chain implements HeadBench.TimedDraft {
        private final SequenceHeads heads;
        private final float[] hidden;

        Chain(SequenceBench config, VectorNetwork network) {
            var shape = config.target().decoder();
            var weights =
                    new RandomWeights(shape, config.length(), config.layers(), config.projection());
            var shared = new TargetWeights.Own(network);
            var precision = config.target().precision();
            heads =
                    switch (config.kind()) {
                        case HYDRA -> new HydraHeads(weights, config.length(), precision, shared);
                        case REDRAFTER ->
                                new RecurrentHead(weights, config.length(), precision, shared);
                    };
            hidden = new float[shape.hiddenSize()];
            for (int index = 0; index < hidden.length; index++) {
                hidden[index] = (float) Math.sin(index);
            }
        }

        @Override
        public void draft() {
            var logits = new float[heads.vocabulary()];
            var states = heads.after(List.of(heads.start(hidden)), new int[] {5});
            for (int guess = 0; guess < heads.guesses(); guess++) {
                if (guess > 0) {
                    states = heads.after(states, TopTokens.of(logits, 1));
                }
                heads.logits(guess, states, logits);
            }
            if (TopTokens.of(logits, 1).length == 0) {
                throw new IllegalStateException("no guess");
            }
        }

        @Override
        public void close() {
            heads.close();
        }
    }

    /// Random heads for a target's shape, for measurements: Hydra's, or one recurrent head whose blocks are as wide as the projection
    /// reads. Numbers are uniform with standard deviation 0.02.
    ///
    /// @param target     the target's shape
    /// @param heads      number of Hydra's heads
    /// @param layers     residual blocks of a head
    /// @param whose      whose projection they use
    private record RandomWeights(
            DecoderConfig target, int heads, int layers, HeadPlan.Projection whose)
            implements HydraHeads.Weights, RecurrentHead.Weights {
        private static final double BOUND = 0.02 * Math.sqrt(3);

        @Override
        public int hiddenSize() {
            return target.hiddenSize();
        }

        @Override
        public int vocabulary() {
            return target.vocabularySize();
        }

        @Override
        public HeadTensors.Matrix block(int head, int layer) {
            return matrix(hiddenSize(), layer == 0 ? (head + 2) * hiddenSize() : hiddenSize());
        }

        @Override
        public HeadTensors.Matrix residual(int head) {
            return block(head, 0);
        }

        @Override
        public Optional<HeadTensors.Matrix> projection(int head) {
            return own(hiddenSize());
        }

        @Override
        public Optional<HeadTensors.Matrix> state() {
            return Optional.of(matrix(hiddenSize(), hiddenSize()));
        }

        @Override
        public Optional<HeadTensors.Matrix> token() {
            return state();
        }

        @Override
        public Optional<HeadTensors.Matrix> input() {
            return exit() == 2 * hiddenSize()
                    ? Optional.empty()
                    : Optional.of(matrix(exit(), 2 * hiddenSize()));
        }

        @Override
        public HeadTensors.Matrix block(int layer) {
            return matrix(exit(), exit());
        }

        @Override
        public Optional<HeadTensors.Matrix> projection() {
            return own(exit());
        }

        /// Width that a recurrent head's blocks read: published heads read hidden state and draft state end to end.
        private int exit() {
            return switch (whose) {
                case OWN -> 2 * hiddenSize();
                case TARGET -> hiddenSize();
            };
        }

        private Optional<HeadTensors.Matrix> own(int columns) {
            return switch (whose) {
                case OWN -> Optional.of(matrix(vocabulary(), columns));
                case TARGET -> Optional.empty();
            };
        }

        private static HeadTensors.Matrix matrix(int rows, int columns) {
            var random = new SplittableRandom(rows + 7L * columns);
            var values = new float[Math.multiplyExact(rows, columns)];
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) (random.nextInt() * 0x1p-31 * BOUND);
            }
            return new HeadTensors.Matrix(
                    "random", values, rows, columns, Optional.of(new float[rows]));
        }
    }
}
