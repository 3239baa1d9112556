package dev.outrider.serve.request;

import dev.outrider.engine.check.Compatibility.LossyPairings;
import dev.outrider.engine.check.ForwardingDrafter;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.serving.ServedVariant;
import dev.outrider.serving.ServingEngine;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/// The engine, defaults and limits that requests are read with.
///
/// @param engine    serves the requests
/// @param first     the variant of requests that name none
/// @param policies  default sampling of a request, by variant; settings that a request leaves out are taken from here
/// @param maxTokens default number of tokens of a request
/// @param stop      default stop strings
/// @param lookup    drafts from a text that a request predicts
/// @param rules     that a request may name instead of its variant's
/// @param seeds     of requests that give none
/// @param limits    of a request
public record ServedTarget(
        ServingEngine engine,
        ServedVariant first,
        Map<String, SamplingPolicy> policies,
        int maxTokens,
        List<String> stop,
        Optional<Drafter> lookup,
        Map<String, AcceptanceRule> rules,
        LongSupplier seeds,
        Limits limits) {
    /// Copies the collections.
    public ServedTarget {
        policies = Map.copyOf(policies);
        stop = List.copyOf(stop);
        rules = Collections.unmodifiableSortedMap(new TreeMap<>(rules));
    }

    /// The limits of a request.
    ///
    /// @param texts most prompts, times `n`
    /// @param stops most stop strings
    public record Limits(int texts, int stops) {}

    /// The name of the target, which is a model's name in the API.
    public String name() {
        return description().name();
    }

    /// Its model.
    public TargetModel target() {
        return engine.target();
    }

    /// Returns the description of the target.
    public TargetDescription description() {
        return target().description();
    }

    /// Returns the variant for a model's name: the target's own, or `target:variant`, or a variant's.
    ///
    /// @throws ApiException if there is no such model
    ServedVariant variant(Optional<String> model) {
        var wanted = model.orElse(name());
        if (wanted.equals(name())) {
            return first;
        }
        var variant =
                wanted.startsWith(name() + ":") ? wanted.substring(name().length() + 1) : wanted;
        return engine.variant(variant).orElseThrow(() -> noModel(wanted));
    }

    /// Returns the error for an unknown model.
    public ApiException noModel(String wanted) {
        return ApiException.noModel(
                "there is no model '%s'; expected %s"
                        .formatted(
                                wanted.substring(0, Math.min(100, wanted.length())),
                                String.join(", ", models())));
    }

    /// Returns the default sampling of a variant's requests.
    SamplingPolicy policy(ServedVariant variant) {
        return policies.getOrDefault(variant.name(), SamplingPolicy.argmax());
    }

    /// Returns the rule with a name.
    ///
    /// @throws ApiException if there is no such rule
    AcceptanceRule rule(String name) {
        var rule = rules.get(name);
        if (rule == null) {
            throw ApiException.invalid(
                    "rule", "there is no such rule; expected " + String.join(", ", rules.keySet()));
        }
        return rule;
    }

    /// Plain decoding.
    ServedVariant plain() {
        return engine.variants().stream()
                .filter(each -> each.decoder().drafter().isEmpty())
                .findFirst()
                .orElseThrow();
    }

    /// The names of all models.
    public List<String> models() {
        return Stream.concat(
                        Stream.of(name()),
                        engine.variants().stream().map(each -> name() + ":" + each.name()))
                .toList();
    }

    /// Returns the variant that drafts from a predicted text, if there is a lookup for it.
    Optional<ServedVariant> predicting(String text) {
        return lookup.map(drafter -> {
            var ids = Arrays.stream(target().tokenizer().encode(text, false)).boxed().toList();
            return new ServedVariant(
                    "prediction",
                    plain().decoder()
                            .withDrafting(
                                    Optional.of(new PredictedText(drafter, ids)),
                                    FixedLength.drafterLimit()),
                    Optional.empty(),
                    LossyPairings.inFile(false));
        });
    }

    /// A lookup that reads a text before the prompt, in the same way as an encoder's source.
    private record PredictedText(Drafter drafter, List<Integer> text) implements ForwardingDrafter {
        @Override
        public DraftSession open(DraftRequest request) {
            return drafter.open(
                    new DraftRequest(request.capacity(), request.policy(), text, request.target()));
        }
    }
}
