package dev.outrider.experiment.predict;

import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.Side;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/// What the target writes by itself after each prompt of a plan, once for each sampling policy: every drafter is read along the same
/// texts. They stay as they are while drafters come and go. Confined to one thread.
final class TargetTexts {
    private final Map<SamplingPolicy, List<Text>> written = new HashMap<>();

    /// @param prompt     index in the plan
    /// @param repetition from 0
    /// @param tokens     at least one
    record Text(int prompt, int repetition, int... tokens) {}

    /// The texts of a policy. Under a greedy one every repetition would be the same.
    ///
    /// @param side of the plan; its baseline writes
    /// @throws CancellationException if cancelled
    List<Text> of(
            Side side,
            ComparisonPlan plan,
            Prediction.Progress progress,
            BooleanSupplier cancelled) {
        var known = written.get(side.policy());
        if (known != null) {
            return known;
        }
        var plain =
                plan.sides().stream()
                        .filter(each -> each.name().equals(side.baseline()))
                        .findFirst()
                        .orElseThrow();
        int prompts = plan.prompts().size();
        int all = prompts * (side.policy().greedy() ? 1 : plan.repetitions());
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
        written.put(side.policy(), texts);
        return texts;
    }
}
