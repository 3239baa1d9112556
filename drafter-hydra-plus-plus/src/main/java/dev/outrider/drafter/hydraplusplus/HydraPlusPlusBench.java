package dev.outrider.drafter.hydraplusplus;

import dev.outrider.drafting.bench.BenchWatch;
import dev.outrider.drafting.bench.DraftTimes;
import dev.outrider.drafting.bench.FeatureTiming;
import dev.outrider.drafting.bench.HeadBench;
import dev.outrider.drafting.bench.Projection;
import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.HeadTensors;
import dev.outrider.drafting.head.HydraHeads;
import dev.outrider.drafting.head.SequenceDrafter;
import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/// The configuration of `bench-draft hydra-plus-plus`.
public record HydraPlusPlusBench(
        @Doc("What drafts are timed against.") @Default("{}") TimedTarget target,
        @Doc("Guesses of a chain.") @Default("4") int length,
        @Doc("Residual blocks of a head.") @Default("1") int layers,
        @Doc("Whose vocabulary projection they use.") @Default("target") Projection projection,
        @Doc("Times each variant is measured.") @Default("20") int turns) {
    public HydraPlusPlusBench {
        HeadBench.requirePositive("length, layers and turns", length, layers, turns);
    }

    /// `bench-draft hydra-plus-plus`.
    public static final class Bench extends HeadBench<HydraPlusPlusBench> {
        public Bench() {
            super(
                    HydraPlusPlusDrafter.NAME,
                    HydraPlusPlusBench.class,
                    "Times the prefix layer and a chain of Hydra++'s guesses against a target pass of one row.",
                    "A draft over its number of guesses is c.",
                    "bench-draft hydra-plus-plus --shape tinyllama-1.1b --length 4");
        }

        @Override
        protected Plan plan(HydraPlusPlusBench config) {
            return new Plan(
                    config.target(),
                    1,
                    1,
                    config.turns(),
                    config.length(),
                    config::drafter,
                    "Hydra++, chain of %d".formatted(config.length()),
                    "%d blocks, projection %s"
                            .formatted(
                                    config.layers(),
                                    config.projection().name().toLowerCase(Locale.ROOT)),
                    OptionalDouble.empty());
        }

        @Override
        public DraftTimes times(String drafter, TimedTarget target, int length, BenchWatch watch) {
            return perStep(new HydraPlusPlusBench(target, length, 1, Projection.TARGET, 20), watch);
        }
    }

    private SequenceDrafter drafter(VectorNetwork network) {
        var shape = target.decoder();
        var sizes =
                new HydraHeads.Sizes(
                        shape.hiddenSize(),
                        shape.vocabularySize(),
                        length,
                        layers,
                        projection == Projection.OWN);
        var heads =
                new HydraHeads(
                        sizes,
                        new PrefixNames(Set.of()),
                        length,
                        new HeadMatrices(HeadTensors::random, target.precision()),
                        new TargetWeights.Own(network),
                        new PrefixReaders(
                                FeatureTiming.network(
                                        network, target, 1, PrefixLayout.fusion(shape))));
        return new SequenceDrafter(heads, FeatureTiming.chain(length), Optional.empty(), 0, "");
    }
}
