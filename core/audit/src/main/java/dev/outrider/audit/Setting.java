package dev.outrider.audit;

import dev.outrider.common.sampling.OperatorChain;
import dev.outrider.common.sampling.SamplingOperators;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// What makes the distribution at a place: whose logits, and what is done to them.
///
/// @param model     index of the weights
/// @param policy    temperature and truncations
/// @param operators what else, and in which order
/// @param reads     which tokens penalties read
record Setting(int model, SamplingPolicy policy, SamplingOperators operators, Reads reads) {

    /// A temperature so near to 1 is not told from one that is ignored.
    private static final double LIKE_IGNORED = .1;

    /// Which tokens penalties read.
    enum Reads {
        /// As the operators say.
        ALL,
        /// The prompt counts as if it were written.
        PROMPT_AS_WRITTEN,
        /// The prompt is not seen.
        WRITTEN_ALONE;

        TokenHistory of(TokenHistory history) {
            return switch (this) {
                case ALL -> history;
                case PROMPT_AS_WRITTEN ->
                        new TokenHistory(history.committed(), history.length(), history.path());
                case WRITTEN_ALONE -> TokenHistory.of(history.written().toArray());
            };
        }
    }

    Setting(SamplingPolicy policy, Optional<SamplingOperators> operators) {
        this(0, policy, operators.orElseGet(SamplingOperators::none), Reads.ALL);
    }

    Setting with(SamplingPolicy other) {
        return new Setting(model, other, operators, reads);
    }

    Setting of(int otherModel) {
        return new Setting(otherModel, policy, operators, reads);
    }

    /// What may be wrong in how a distribution is made, as far as it makes a difference to this setting.
    List<Change<Setting>> changes() {
        var changes = new ArrayList<Change<Setting>>();
        policy(changes, "temperature ignored", "temperature", 1.0);
        policy(changes, "top-k ignored", "topK", 0);
        policy(changes, "top-p ignored", "topP", 1.0);
        policy(changes, "min-p ignored", "minP", 0.0);
        policy(changes, "repetition penalty skipped", "repetitionPenalty", 1.0);
        operators(changes, "presence penalty skipped", "presencePenalty", 0.0);
        operators(changes, "frequency penalty skipped", "frequencyPenalty", 0.0);
        operators(changes, "bias ignored", "bias", Map.of());
        operators(changes, "banned tokens ignored", "banned", List.of());
        operators(changes, "allowed tokens ignored", "allowed", List.of());
        operators(changes, "minTokens ignored", "minTokens", 0);
        operators(changes, "top-n-sigma ignored", "topNSigma", 0.0);
        operators(changes, "typical ignored", "typical", 1.0);
        operators(changes, "top-a ignored", "topA", 0.0);
        operators(changes, "epsilon ignored", "epsilon", 0.0);
        operators(changes, "eta ignored", "eta", 0.0);
        for (var name : List.of("dry", "xtc", "dynamicTemperature", "mirostat")) {
            operators(changes, name + " ignored", name, Optional.empty());
        }
        if (policy.usesHistory() || !operators.equals(SamplingOperators.none())) {
            for (var other : List.of(Reads.PROMPT_AS_WRITTEN, Reads.WRITTEN_ALONE)) {
                add(
                        changes,
                        "penalties: " + other.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        each -> new Setting(each.model, each.policy, each.operators, other));
            }
        }
        for (var order : List.of("transformers", "vllm", "sglang", "llama.cpp")) {
            var other = Change.with(operators, "order", order);
            if (!OperatorChain.alike(policy, operators, other)) {
                operators(changes, "order of " + order, "order", order);
            }
        }
        for (double factor : new double[] {.7, .85, 1.2, 1.4}) {
            if (Math.abs(policy.temperature() * factor - 1) < LIKE_IGNORED) {
                continue;
            }
            add(
                    changes,
                    "temperature %s times".formatted(factor),
                    each ->
                            each.with(
                                    Change.with(
                                            each.policy,
                                            "temperature",
                                            each.policy.temperature() * factor)));
        }
        return changes;
    }

    private void policy(
            List<Change<Setting>> changes, String name, String component, Object value) {
        add(changes, name, each -> each.with(Change.with(each.policy, component, value)));
    }

    private void operators(
            List<Change<Setting>> changes, String name, String component, Object value) {
        add(
                changes,
                name,
                each ->
                        new Setting(
                                each.model,
                                each.policy,
                                Change.with(each.operators, component, value),
                                each.reads));
    }

    private void add(List<Change<Setting>> changes, String name, UnaryOperator<Setting> change) {
        if (!change.apply(this).equals(this)) {
            changes.add(new Change<>(name, change));
        }
    }
}
