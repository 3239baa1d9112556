package dev.outrider.experiment.predict;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.outrider.engine.check.Compatibility.Losslessness;
import dev.outrider.engine.prediction.ExpectedRounds;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.Progress;
import dev.outrider.experiment.run.Variant;
import dev.outrider.experiment.stats.Bootstrap;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.table.Value;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/// Predicts the tokens per round of every variant of a plan. The target continues each prompt by itself, once for each sampling policy
/// and repetition; every variant of that policy is then read along the same texts ([ExpectedRounds]). Confined to one thread.
public final class Prediction {
    private final ComparisonPlan plan;
    private final Progress progress;
    private final BooleanSupplier cancelled;
    private final TargetTexts texts = new TargetTexts();

    /// @param plan      with the variants, prompts and limits
    /// @param progress  told about every text
    /// @param cancelled asked before every text
    public Prediction(ComparisonPlan plan, Progress progress, BooleanSupplier cancelled) {
        this.plan = plan;
        this.progress = progress;
        this.cancelled = cancelled;
    }

    /// Predicts every variant, in the order of the plan.
    ///
    /// @throws OutriderException     what decoding throws
    /// @throws CancellationException if cancelled
    public List<PredictedVariant> run() {
        return plan.variants().stream()
                .filter(variant -> !variant.plain())
                .map(this::predict)
                .toList();
    }

    /// The same predictions, together with the measurements of a comparison of the same variants.
    public static List<PredictedVariant> beside(
            List<PredictedVariant> predictions, ComparisonResult result) {
        var variants = new HashMap<String, Variant>();
        result.plan().variants().forEach(variant -> variants.put(variant.name(), variant));
        return predictions.stream()
                .map(each ->
                        Optional.ofNullable(variants.get(each.variant()))
                                .map(variant -> each.withMeasured(measured(result, variant)))
                                .orElse(each))
                .toList();
    }

    private static Interval measured(ComparisonResult result, Variant variant) {
        return Bootstrap.ratio(
                result.of(variant),
                GenerationRecord::prompt,
                record -> record.tokens().size(),
                record -> record.metrics().rounds(),
                result.plan().seed());
    }

    private PredictedVariant predict(Variant variant) {
        Optional<Interval> predicted = Optional.empty();
        Optional<String> refusal = Optional.empty();
        try {
            predicted = Optional.of(rate(variant));
        } catch (OutriderException e) {
            if (!e.code().equals(ErrorCode.CAPABILITY_MISSING)) {
                throw e.within("variant '%s'".formatted(variant.name()));
            }
            refusal = Optional.of(e.problem());
        }
        return new PredictedVariant(
                variant.name(),
                variant.drafter(),
                variant.rule(),
                variant.policy().temperature(),
                predicted,
                Optional.empty(),
                refusal);
    }

    /// Predicts one variant that drafts.
    ///
    /// @throws OutriderException CAPABILITY_MISSING if its rounds cannot be predicted
    Interval rate(Variant variant) {
        require(
                variant.beams().isEmpty(),
                "a beam search has no rule whose odds could be computed");
        require(
                variant.losslessness() != Losslessness.LOSSY,
                "the pairing is lossy: what it would write is not the target's text");
        var expected = new ExpectedRounds(variant.decoder());
        var counts = new ArrayList<OfText>();
        int done = 0;
        var written = texts.of(variant, plan, progress, cancelled);
        for (var text : written) {
            at(variant.name(), done++, written.size());
            double rounds =
                    expected.of(
                            plan.request(variant, text.prompt()),
                            text.tokens(),
                            plan.randomness(variant, text.prompt(), text.repetition()));
            counts.add(new OfText(text.prompt(), text.tokens().length, rounds));
        }
        return Bootstrap.ratio(counts, OfText::prompt, OfText::tokens, OfText::rounds, plan.seed());
    }

    private record OfText(int prompt, double tokens, double rounds) {}

    private static void require(boolean predictable, String problem) {
        if (!predictable) {
            throw ErrorCode.CAPABILITY_MISSING.error(
                    problem, "Measure it with 'outrider bench', or leave it out.");
        }
    }

    private void at(String what, int done, int of) {
        if (cancelled.getAsBoolean()) {
            throw new CancellationException();
        }
        progress.at(what, done, of);
    }

    /// The prediction for one variant.
    ///
    /// @param variant     its name
    /// @param drafter     name of its drafter
    /// @param rule        name of the rule that decides
    /// @param temperature of sampling; 0 is greedy
    /// @param predicted   tokens per round; empty if it was refused
    /// @param measured    tokens per round of a comparison, if there was one
    /// @param refusal     why nothing is predicted
    public record PredictedVariant(
            String variant,
            String drafter,
            String rule,
            double temperature,
            Optional<Interval> predicted,
            Optional<Interval> measured,
            Optional<String> refusal) {
        /// The widest interval that is useful. A round yields at least one token, so an interval below that has no information, and
        /// an interval wider than its rate hardly distinguishes two drafts.
        private static final double WIDEST = 1;

        private static final double ROUNDING = 1e-9;

        /// The wanted half-width of an interval, for the number of texts that would reach it.
        private static final double WANTED = 0.1;

        /// Measured over predicted tokens per round, less 1; empty if the prediction is too uncertain.
        @JsonProperty
        public Optional<Double> difference() {
            return known().flatMap(predicted ->
                    measured.map(found -> found.value() / predicted.value() - 1));
        }

        /// Returns why the prediction is too uncertain and what would help; empty if it is certain enough, or there is none.
        @JsonProperty
        public Optional<String> uncertain() {
            return predicted
                    .filter(rate -> !certain(rate))
                    .map(rate ->
                            "%s; 'outrider predict --measure' and 'outrider bench' measure it, and about %d times as many texts (prompts.limit, repetitions) would predict it to a tenth"
                                    .formatted(
                                            rate.shown(number -> Value.decimal(number, 2))
                                                    + (rate.least() < 1
                                                            ? " reaches below the one token that every round yields: of what was drawn little lay on the texts"
                                                            : " is wider than its number: the texts are few or unlike"),
                                            times(rate)));
        }

        /// Returns the prediction, if it is certain enough.
        Optional<Interval> known() {
            return predicted.filter(PredictedVariant::certain);
        }

        private static boolean certain(Interval rate) {
            return rate.least() >= 1 - ROUNDING
                    && rate.most() < Double.POSITIVE_INFINITY
                    && rate.most() - rate.least() <= WIDEST * rate.value();
        }

        /// Returns the factor of texts that would reach the wanted half-width, if further texts vary as these do.
        private static long times(Interval rate) {
            double half = (rate.most() - rate.least()) / 2 / (WANTED * Math.max(1, rate.value()));
            return Math.max(2, Math.round(Math.ceil(half * half)));
        }

        PredictedVariant withMeasured(Interval found) {
            return new PredictedVariant(
                    variant, drafter, rule, temperature, predicted, Optional.of(found), refusal);
        }
    }

    /// The output of `outrider predict --json`.
    ///
    /// @param name       of the experiment
    /// @param configHash of its effective configuration
    /// @param seed       of every random decision
    /// @param prompts    number of prompts of the predictions
    /// @param measuredOn number of prompts of the measurements; 0 if nothing was measured
    /// @param models     digests of the weights
    /// @param variants   the predictions
    public record PredictionReport(
            String name,
            String configHash,
            long seed,
            int prompts,
            int measuredOn,
            Map<String, String> models,
            List<PredictedVariant> variants) {}

    /// The texts that the target writes by itself after each prompt of a plan, once for each sampling policy. Every drafter is read along the
    /// same texts. Confined to one thread.
    private static final class TargetTexts {
        private final Map<SamplingPolicy, List<Text>> written = new HashMap<>();

        /// @param prompt     index in the plan
        /// @param repetition from 0
        /// @param tokens     at least one
        record Text(int prompt, int repetition, int... tokens) {}

        /// Returns the texts of a policy. Under a greedy policy all repetitions are equal.
        ///
        /// @param variant of the plan; its baseline writes
        /// @throws CancellationException if cancelled
        List<Text> of(
                Variant variant,
                ComparisonPlan plan,
                Progress progress,
                BooleanSupplier cancelled) {
            var known = written.get(variant.policy());
            if (known != null) {
                return known;
            }
            var plain =
                    plan.variants().stream()
                            .filter(each -> each.name().equals(variant.baseline()))
                            .findFirst()
                            .orElseThrow();
            int prompts = plan.prompts().size();
            int all = prompts * (variant.policy().greedy() ? 1 : plan.repetitions());
            var texts = new ArrayList<Text>();
            for (int number = 0; number < all; number++) {
                progress.at("the target writes", number, all);
                int prompt = number % prompts;
                int repetition = number / prompts;
                var generation =
                        plain.generate(
                                plan.request(plain, prompt),
                                plan.randomness(plain, prompt, repetition),
                                DecodeListener.none(),
                                cancelled);
                if (cancelled.getAsBoolean()) {
                    throw new CancellationException();
                }
                if (generation.tokens().length > 0) {
                    texts.add(new Text(prompt, repetition, generation.tokens()));
                }
            }
            written.put(variant.policy(), texts);
            return texts;
        }
    }
}
