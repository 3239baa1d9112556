package dev.outrider.config;

import dev.outrider.spi.DrafterChoice;
import dev.outrider.spi.DrafterFactory;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which components a configuration may name: for each kind its names and the configuration record of each. Immutable.
public final class Components {
    private final Map<Class<?>, Kind> kinds;
    private final Map<String, DrafterFactory<?>> drafters;

    /// One kind of component.
    ///
    /// @param noun    what a user calls it, such as `drafter`
    /// @param records the configuration record by component name, sorted
    record Kind(String noun, SortedMap<String, Class<? extends Record>> records) {}

    private Components(Map<Class<?>, Kind> kinds, Map<String, DrafterFactory<?>> drafters) {
        this.kinds = Map.copyOf(kinds);
        this.drafters = Map.copyOf(drafters);
    }

    /// No components at all.
    public static Components none() {
        return new Components(Map.of(), Map.of());
    }

    /// These components and one more kind.
    ///
    /// @param kind    type argument of [Component] in configuration records
    /// @param noun    what a user calls it, such as `drafter`
    /// @param records the configuration record by component name
    public Components with(
            Class<?> kind, String noun, Map<String, ? extends Class<? extends Record>> records) {
        Map<Class<?>, Kind> more = new HashMap<>(kinds);
        more.put(kind, new Kind(noun, new TreeMap<>(records)));
        return new Components(more, drafters);
    }

    /// These components and drafters. Unlike [#with] this keeps the factories, so that a drafter's own configuration may
    /// name drafters too, as a [DrafterChoice].
    ///
    /// @param factories drafter factories by name
    public Components withDrafters(Map<String, DrafterFactory<?>> factories) {
        Map<String, Class<? extends Record>> records = new TreeMap<>();
        factories.forEach((name, factory) -> records.put(name, factory.configType()));
        return new Components(with(DrafterFactory.class, "drafter", records).kinds, factories);
    }

    /// The drafter a component stands for.
    ///
    /// @throws OutriderException `CONTRACT_BROKEN` if drafters were registered without their factories
    DrafterChoice choice(Component<?> chosen) {
        DrafterFactory<?> factory = drafters.get(chosen.use());
        if (factory == null) {
            throw new OutriderException(
                    ErrorCode.CONTRACT_BROKEN,
                    "drafter '" + chosen.use() + "' is registered without its factory",
                    "Register drafters with Components.withDrafters before reading a configuration that nests them.");
        }
        return new DrafterChoice(chosen.use(), factory, chosen.config());
    }

    Kind kind(Class<?> type) {
        Kind kind = kinds.get(type);
        if (kind == null) {
            throw new OutriderException(
                    ErrorCode.CONTRACT_BROKEN,
                    "no components of kind " + type.getName() + " are registered",
                    "Register the kind with Components.with before reading a configuration that uses it.");
        }
        return kind;
    }
}
