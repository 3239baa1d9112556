package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.bench.BenchWatch;
import dev.outrider.drafting.bench.DraftTimes;
import dev.outrider.drafting.bench.HeadBench;
import dev.outrider.drafting.bench.Projection;
import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.HeadTensors;
import dev.outrider.drafting.head.HydraHeads;
import dev.outrider.drafting.head.SequenceDrafter;
import dev.outrider.drafting.head.SequenceHeads;
import dev.outrider.drafting.head.StateReader;
import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.TreePlan;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/// The configuration of `bench-draft sequence`.
public record SequenceBench(
        @Doc("What drafts are timed against.") @Default("{}") TimedTarget target,
        @Doc("Whose heads.") @Default("hydra") Kind kind,
        @Doc("Guesses of a chain.") @Default("4") int length,
        @Doc("Residual blocks of a head.") @Default("1") int layers,
        @Doc("Whose vocabulary projection they use.") @Default("target") Projection projection,
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
                    1,
                    config.turns(),
                    config.length(),
                    config::drafter,
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
                    new SequenceBench(target, kind, length, 1, Projection.TARGET, 20), watch);
        }
    }

    private SequenceDrafter drafter(VectorNetwork network) {
        var shape = target.decoder();
        int size = shape.hiddenSize();
        int tokens = shape.vocabularySize();
        boolean own = projection == Projection.OWN;
        var shared = new TargetWeights.Own(network);
        var matrices = new HeadMatrices(HeadTensors::random, target.precision());
        SequenceHeads heads =
                switch (kind) {
                    case HYDRA ->
                            new HydraHeads(
                                    new HydraHeads.Sizes(size, tokens, length, layers, own),
                                    HydraCheckpoint.NAMES,
                                    length,
                                    matrices,
                                    shared,
                                    _ -> StateReader.ofLast());
                    // Published heads with a projection of their own read hidden state and draft
                    // state end to end.
                    case REDRAFTER ->
                            new RecurrentHead(
                                    new RecurrentHead.Sizes(
                                            size, tokens, own ? 2 * size : size, layers, true, own),
                                    length,
                                    matrices,
                                    shared);
                };
        return new SequenceDrafter(
                heads, Drafting.of(new TreePlan.Chain(length)), Optional.empty(), 0, "");
    }
}
