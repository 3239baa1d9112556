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
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;

/// A setting that makes the distribution at a place: the weights, and the processing of their logits.
///
/// @param model     index of the weights
/// @param policy    temperature and truncations
/// @param operators further operators, and the order
/// @param reads     the tokens that penalties read
record Setting(int model, SamplingPolicy policy, SamplingOperators operators, Reads reads) {

    /// A temperature this near to 1 cannot be distinguished from an ignored one.
    private static final double LIKE_IGNORED = .1;

    /// Values that are frequent in servers and examples.
    private static final Map<String, List<Object>> OTHERS =
            Map.of(
                    "topK", List.of(20, 40, 50, 100),
                    "topP", List.of(.8, .9, .95, .99),
                    "minP", List.of(.02, .05, .1, .2),
                    "repetitionPenalty", List.of(1.05, 1.1, 1.2));

    /// The tokens that penalties read.
    enum Reads {
        /// As the operators define it.
        ALL,
        /// The prompt counts as if it were written.
        PROMPT_AS_WRITTEN,
        /// The prompt is not read.
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

    private Setting with(SamplingOperators other) {
        return new Setting(model, policy, other, reads);
    }

    Setting of(int otherModel) {
        return new Setting(otherModel, policy, operators, reads);
    }

    /// Returns the faults that a server may have in how it makes a distribution, without those that make no difference to this
    /// setting.
    List<Change<Setting>> changes() {
        var changes = new ArrayList<Change<Setting>>();
        for (var change : Change.removals(SamplingPolicy.atTemperature(1))) {
            add(changes, change.name(), each -> each.with(change.apply(each.policy)));
        }
        for (var change : Change.removals(SamplingOperators.none())) {
            if (!change.name().startsWith("order")) {
                add(changes, change.name(), each -> each.with(change.apply(each.operators)));
            }
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
                UnaryOperator<SamplingOperators> change = each -> Change.with(each, "order", order);
                add(changes, "order of " + order, each -> each.with(change.apply(each.operators)));
            }
        }
        return changes;
    }

    /// Returns other values of settings that a server may have used instead of the requested ones.
    List<Change<Setting>> values() {
        var changes = new ArrayList<Change<Setting>>();
        var others = new TreeMap<String, List<? extends Object>>(OTHERS);
        var near = DoubleStream.of(.7, .85, 1.2, 1.4).map(each -> each * policy.temperature());
        var rounded = near.map(each -> Math.round(100 * each) / 100.0);
        others.put(
                "temperature",
                rounded.filter(each -> Math.abs(each - 1) >= LIKE_IGNORED).boxed().toList());
        others.forEach((part, values) -> {
            var asked = Change.value(policy, part);
            for (var other : values) {
                var name = "%s %s in place of %s".formatted(part, other, asked);
                add(changes, name, each -> each.with(Change.with(each.policy, part, other)));
            }
        });
        return changes;
    }

    private void add(List<Change<Setting>> changes, String name, UnaryOperator<Setting> change) {
        if (!change.apply(this).equals(this)) {
            changes.add(new Change<>(name, change));
        }
    }
}
