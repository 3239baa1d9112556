package dev.outrider.experiment.predict;

import dev.outrider.engine.check.Losslessness;
import dev.outrider.engine.prediction.ExpectedRounds;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.Side;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/// Foretells the tokens per round of every variant of a plan. The target continues each prompt by itself, once for each sampling policy
/// and repetition; every variant of that policy is then read along the same texts ([ExpectedRounds]). Confined to one thread.
public final class Prediction {
    private final ComparisonPlan plan;
    private final Progress progress;
    private final BooleanSupplier cancelled;
    private final TargetTexts texts;

    /// Follows a prediction.
    @FunctionalInterface
    public interface Progress {
        /// One text begins.
        ///
        /// @param what what is done with it
        /// @param done texts of this kind that are over
        /// @param of   texts of this kind in all
        void at(String what, int done, int of);
    }

    /// @param plan      whose variants, prompts and limits
    /// @param progress  told about every text
    /// @param cancelled asked before every text
    public Prediction(ComparisonPlan plan, Progress progress, BooleanSupplier cancelled) {
        this(plan, new TargetTexts(), progress, cancelled);
    }

    /// As the other, along texts that may be there already.
    Prediction(
            ComparisonPlan plan, TargetTexts texts, Progress progress, BooleanSupplier cancelled) {
        this.plan = plan;
        this.texts = texts;
        this.progress = progress;
        this.cancelled = cancelled;
    }

    /// Predicts every variant, in the order of the plan.
    ///
    /// @throws OutriderException     what decoding throws
    /// @throws CancellationException if cancelled
    public List<PredictedSide> run() {
        return plan.sides().stream().filter(side -> !side.plain()).map(this::predict).toList();
    }

    /// The same predictions beside what a comparison of the same variants measured.
    public static List<PredictedSide> beside(
            List<PredictedSide> predictions, ComparisonResult result) {
        var sides = new HashMap<String, Side>();
        result.plan().sides().forEach(side -> sides.put(side.name(), side));
        return predictions.stream()
                .map(each ->
                        Optional.ofNullable(sides.get(each.variant()))
                                .map(side -> each.withMeasured(measured(result, side)))
                                .orElse(each))
                .toList();
    }

    private static TokenRate measured(ComparisonResult result, Side side) {
        var byPrompt = new TreeMap<Integer, TokenRate.OfPrompt>();
        for (var record : result.of(side)) {
            byPrompt.merge(
                    record.prompt(),
                    new TokenRate.OfPrompt(record.tokens().size(), record.metrics().rounds()),
                    TokenRate.OfPrompt::plus);
        }
        return TokenRate.of(List.copyOf(byPrompt.values()), result.plan().seed());
    }

    private PredictedSide predict(Side side) {
        Optional<TokenRate> predicted = Optional.empty();
        Optional<String> refusal = Optional.empty();
        try {
            predicted = Optional.of(rate(side));
        } catch (OutriderException e) {
            if (!e.code().equals(ErrorCode.CAPABILITY_MISSING)) {
                throw e.within("variant '%s'".formatted(side.name()));
            }
            refusal = Optional.of(e.problem());
        }
        return new PredictedSide(
                side.name(),
                side.drafter(),
                side.rule(),
                side.policy().temperature(),
                predicted,
                Optional.empty(),
                refusal);
    }

    /// Predicts one side, which drafts.
    ///
    /// @throws OutriderException CAPABILITY_MISSING if its rounds cannot be foretold
    TokenRate rate(Side side) {
        require(side.beams().isEmpty(), "a beam search has no rule whose odds could be computed");
        require(
                side.losslessness() != Losslessness.LOSSY,
                "the pairing is lossy: what it would write is not the target's text");
        var expected = new ExpectedRounds(side.decoder());
        var byPrompt = new TreeMap<Integer, TokenRate.OfPrompt>();
        int done = 0;
        var written = texts.of(side, plan, progress, cancelled);
        for (var text : written) {
            at(side.name(), done++, written.size());
            double rounds =
                    expected.of(
                            plan.request(side, text.prompt()),
                            text.tokens(),
                            plan.randomness(side, text.prompt(), text.repetition()));
            byPrompt.merge(
                    text.prompt(),
                    new TokenRate.OfPrompt(text.tokens().length, rounds),
                    TokenRate.OfPrompt::plus);
        }
        return TokenRate.of(List.copyOf(byPrompt.values()), plan.seed());
    }

    private static void require(boolean predictable, String problem) {
        if (!predictable) {
            throw new OutriderException(
                    ErrorCode.CAPABILITY_MISSING,
                    problem,
                    "Measure it with 'outrider bench', or leave it out.");
        }
    }

    private void at(String what, int done, int of) {
        if (cancelled.getAsBoolean()) {
            throw new CancellationException();
        }
        progress.at(what, done, of);
    }
}
