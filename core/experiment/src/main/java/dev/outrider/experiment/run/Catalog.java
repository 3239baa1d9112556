package dev.outrider.experiment.run;

import dev.outrider.config.Components;
import dev.outrider.spi.AcceptanceRuleFactory;
import dev.outrider.spi.DrafterFactory;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import dev.outrider.spi.TargetFactory;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/// The factories an experiment may name, by name. Immutable.
///
/// @param targets  target back ends
/// @param drafters drafters
/// @param rules    acceptance rules
public record Catalog(
        Map<String, TargetFactory<?>> targets,
        Map<String, DrafterFactory<?>> drafters,
        Map<String, AcceptanceRuleFactory<?>> rules) {
    public Catalog {
        targets = Map.copyOf(targets);
        drafters = Map.copyOf(drafters);
        rules = Map.copyOf(rules);
    }

    /// What `use:` may name, for reading an experiment's file.
    public Components components() {
        return Components.none()
                .with(TargetFactory.class, "target", types(targets, TargetFactory::configType))
                .withDrafters(drafters)
                .with(
                        AcceptanceRuleFactory.class,
                        "rule",
                        types(rules, AcceptanceRuleFactory::configType));
    }

    TargetFactory<?> target(String name) {
        return found(targets, "target", name);
    }

    DrafterFactory<?> drafter(String name) {
        return found(drafters, "drafter", name);
    }

    AcceptanceRuleFactory<?> rule(String name) {
        return found(rules, "rule", name);
    }

    private static <F> Map<String, Class<? extends Record>> types(
            Map<String, F> factories, Function<F, Class<? extends Record>> type) {
        Map<String, Class<? extends Record>> types = new TreeMap<>();
        factories.forEach((name, factory) -> types.put(name, type.apply(factory)));
        return types;
    }

    private static <F> F found(Map<String, F> factories, String noun, String name) {
        return Optional.ofNullable(factories.get(name))
                .orElseThrow(() ->
                        new OutriderException(
                                ErrorCode.UNKNOWN_COMPONENT,
                                "there is no %s '%s'; known: %s"
                                        .formatted(
                                                noun,
                                                name,
                                                String.join(
                                                        ", ", new TreeMap<>(factories).keySet())),
                                "Choose one of these, or install the plugin that brings it."));
    }
}
