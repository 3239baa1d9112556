package dev.outrider.drafter.eagle;

import dev.outrider.common.Require;
import dev.outrider.drafting.bench.BenchWatch;
import dev.outrider.drafting.bench.DraftTimes;
import dev.outrider.drafting.bench.FeatureTiming;
import dev.outrider.drafting.bench.HeadBench;
import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.util.Set;

/// The configuration of `bench-draft eagle`.
public record EagleBench(
        @Doc("What drafts are timed against.") @Default("{}") TimedTarget target,
        @Doc("1 for EAGLE-1 and EAGLE-2, 3 for EAGLE-3.") @Default("1") int generation,
        @Doc("Tokens of the head, 0 for all of the target's.") @Default("0") int draftVocabulary,
        @Doc("Steps of a chain.") @Default("5") int length,
        @Doc("Times each variant is measured.") @Default("20") int turns) {
    private static final int CAPTURED = 3;

    /// Returns how the layer of a generation makes its input.
    ///
    /// @param generation      1 or 3
    /// @param draftVocabulary tokens of EAGLE-3's own head; 0 for all of the target's
    /// @throws IllegalArgumentException if there is no such generation or head
    static FusionConfig fusion(int generation, DecoderConfig target, int draftVocabulary) {
        boolean third = generation == 3;
        Require.that(generation == 1 || third, "generation %d is neither 1 nor 3", generation);
        Require.that(
                draftVocabulary >= 0
                        && draftVocabulary <= target.vocabularySize()
                        && (draftVocabulary <= 0 || third),
                "a draft vocabulary of %d: EAGLE-3 may have 1 to %d tokens, EAGLE-1 has the target's head",
                draftVocabulary,
                target.vocabularySize());
        return FusionConfig.of(
                        third
                                ? FusionConfig.Join.WIDE_FIRST_LAYER
                                : FusionConfig.Join.EMBEDDING_FIRST,
                        target.hiddenSize(),
                        draftVocabulary == 0 ? target.vocabularySize() : draftVocabulary)
                .capturing(third ? CAPTURED : 1, FusionConfig.CapturedNorm.NONE)
                .with(third, FusionConfig.Switch.REDUCTION)
                .with(third, FusionConfig.Switch.FIRST_INPUT_NORM)
                .with(third, FusionConfig.Switch.OUTPUT_NORM)
                .with(third, FusionConfig.Switch.OWN_HEAD);
    }

    /// `bench-draft eagle`.
    public static final class Bench extends HeadBench<EagleBench> {
        private static final int TURNS = 20;

        public Bench() {
            super(
                    "eagle",
                    EagleBench.class,
                    "Times a chain of EAGLE draft steps against a target pass of one row.",
                    "A step's share of a pass is c. The bound is what the bytes of both allow: a step reads one layer and a whole vocabulary projection.",
                    "bench-draft eagle --shape tinyllama-1.1b --generation 1",
                    "bench-draft eagle --shape tinyllama-1.1b --generation 3 --draft-vocabulary 8192");
        }

        @Override
        protected Plan plan(EagleBench config) {
            return FeatureTiming.chain(
                    "EAGLE-" + config.generation(),
                    config.target(),
                    fusion(
                            config.generation(),
                            config.target().decoder(),
                            config.draftVocabulary()),
                    config.length(),
                    config.turns());
        }

        @Override
        public Set<String> drafters() {
            return Set.of(EagleHead.FIRST.drafter(), EagleHead.THIRD.drafter());
        }

        @Override
        public DraftTimes times(String drafter, TimedTarget target, int length, BenchWatch watch) {
            int generation = drafter.equals(EagleHead.THIRD.drafter()) ? 3 : 1;
            return perStep(new EagleBench(target, generation, 0, length, TURNS), watch);
        }
    }
}
