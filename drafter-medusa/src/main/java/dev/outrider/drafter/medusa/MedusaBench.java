package dev.outrider.drafter.medusa;

import dev.outrider.drafting.bench.BenchWatch;
import dev.outrider.drafting.bench.DraftTimes;
import dev.outrider.drafting.bench.HeadBench;
import dev.outrider.drafting.bench.Projection;
import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.HeadTensors;
import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.TreePlan;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/// The configuration of `bench-draft medusa`.
public record MedusaBench(
        @Doc("What drafts are timed against.") @Default("{}") TimedTarget target,
        @Doc("Number of heads.") @Default("4") int heads,
        @Doc("Whose vocabulary projection they use.") @Default("target") Projection projection,
        @Doc("Times each variant is measured.") @Default("30") int turns) {
    public MedusaBench {
        HeadBench.requirePositive("heads and turns", heads, turns);
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
                    1,
                    config.turns(),
                    config.heads(),
                    config::drafter,
                    "%d heads, %s projection"
                            .formatted(
                                    config.heads(),
                                    config.projection().name().toLowerCase(Locale.ROOT)),
                    "",
                    OptionalDouble.empty());
        }

        @Override
        public DraftTimes times(String drafter, TimedTarget target, int length, BenchWatch watch) {
            return perDraft(new MedusaBench(target, length, Projection.TARGET, 30), watch);
        }
    }

    private MedusaDrafter drafter(VectorNetwork network) {
        boolean own = projection == Projection.OWN;
        var shape = target.decoder();
        var sizes =
                new VectorHeads.Sizes(
                        shape.hiddenSize(),
                        shape.vocabularySize(),
                        heads,
                        1,
                        own ? VectorHeads.Projection.PER_HEAD : VectorHeads.Projection.TARGET);
        return new MedusaDrafter(
                new TreePlan.Chain(heads),
                new VectorHeads(
                        sizes,
                        MedusaLayout.MEDUSA,
                        heads,
                        new HeadMatrices(HeadTensors::random, target.precision()),
                        own ? Optional.empty() : Optional.of(new TargetWeights.Own(network)),
                        new int[0],
                        shape.vocabularySize()),
                "");
    }
}
