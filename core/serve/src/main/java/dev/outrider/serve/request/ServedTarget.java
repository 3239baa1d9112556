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
/// @param engine    serves them
/// @param first     the variant of requests that name none
/// @param policies  sampling of a request that says nothing about it, by variant; what a request leaves out is taken from here
/// @param maxTokens most tokens of a request that says nothing about it
/// @param stop      stop strings of a request that gives none
/// @param lookup    drafts from a text that a request predicts
/// @param rules     that a request may name in place of its variant's
/// @param seeds     of requests that give none
/// @param limits    how much a request may ask for
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

    /// How much a request may ask for.
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

    /// The variant of a model's name: the target's own, or `target:variant`, or a variant's.
    ///
    /// @throws ApiException if there is none
    ServedVariant variant(Optional<String> model) {
        var wanted = model.orElse(name());
        if (wanted.equals(name())) {
            return first;
        }
        var variant =
                wanted.startsWith(name() + ":") ? wanted.substring(name().length() + 1) : wanted;
        return engine.variant(variant).orElseThrow(() -> noModel(wanted));
    }

    /// There is no model of that name.
    public ApiException noModel(String wanted) {
        return ApiException.noModel(
                "there is no model '%s'; expected %s"
                        .formatted(
                                wanted.substring(0, Math.min(100, wanted.length())),
                                String.join(", ", models())));
    }

    /// Sampling of a request that names a variant and says nothing about it.
    SamplingPolicy policy(ServedVariant variant) {
        return policies.getOrDefault(variant.name(), SamplingPolicy.argmax());
    }

    /// The rule of a name.
    ///
    /// @throws ApiException if there is none
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

    /// The variant that drafts from a predicted text, if there is a lookup for it.
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

    /// A lookup that reads a text before the prompt, as it reads the source of an encoder.
    private record PredictedText(Drafter drafter, List<Integer> text) implements ForwardingDrafter {
        @Override
        public DraftSession open(DraftRequest request) {
            return drafter.open(
                    new DraftRequest(request.capacity(), request.policy(), text, request.target()));
        }
    }
}
