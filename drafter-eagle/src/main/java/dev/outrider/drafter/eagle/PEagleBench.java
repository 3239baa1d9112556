package dev.outrider.drafter.eagle;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.bench.BenchWatch;
import dev.outrider.drafting.bench.DraftTimes;
import dev.outrider.drafting.bench.FeatureTiming;
import dev.outrider.drafting.bench.HeadBench;
import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.util.OptionalDouble;

/// The configuration of `bench-draft p-eagle`.
public record PEagleBench(
        @Doc("What drafts are timed against.") @Default("{}") TimedTarget target,
        @Doc("Layers, the first of which reads embedding and feature.") @Default("2") int layers,
        @Doc("Tokens of the head, 0 for all of the target's.") @Default("0") int draftVocabulary,
        @Doc("Guesses of a draft.") @Default("5") int length,
        @Doc("Rows of true features that come new with a round.") @Default("3") int fed,
        @Doc("Times each variant is measured.") @Default("20") int turns) {
    /// `bench-draft p-eagle`.
    public static final class Bench extends HeadBench<PEagleBench> {
        private static final int EAGLE_3 = 3;

        public Bench() {
            super(
                    EagleHead.PARALLEL.drafter(),
                    PEagleBench.class,
                    "Times a whole P-EAGLE draft against a target pass of one row.",
                    "A draft is one pass over a round's new rows and a row for every guess after the first, and the head for all guesses; over the number of guesses it is c.",
                    "bench-draft p-eagle --shape tinyllama-1.1b --layers 2 --length 5");
        }

        @Override
        protected Plan plan(PEagleBench config) {
            requirePositive(
                    "layers, fed, length and turns",
                    config.layers(),
                    config.fed(),
                    config.length(),
                    config.turns());
            var timed = config.target();
            var shape = timed.decoder();
            var fusion = EagleBench.fusion(EAGLE_3, shape, config.draftVocabulary());
            int length = config.length();
            return new Plan(
                    timed,
                    config.fed() + length - 1,
                    config.fed(),
                    config.turns(),
                    length,
                    target ->
                            new ParallelDrafter(
                                    FeatureTiming.network(target, timed, config.layers(), fusion),
                                    FeatureTiming.captured(fusion),
                                    new EagleLayout.Mask(1, new float[fusion.capturedWidth()]),
                                    DraftVocabulary.shared(
                                            fusion.headSize(), shape.vocabularySize()),
                                    FeatureTiming.chain(length),
                                    0,
                                    ""),
                    "P-EAGLE, draft of %d".formatted(length),
                    "%d layers, %d new rows, head of %d tokens"
                            .formatted(config.layers(), config.fed(), fusion.headSize()),
                    OptionalDouble.empty());
        }

        @Override
        public DraftTimes times(String drafter, TimedTarget target, int length, BenchWatch watch) {
            return perDraft(new PEagleBench(target, 2, 0, length, 3, 20), watch);
        }
    }
}
