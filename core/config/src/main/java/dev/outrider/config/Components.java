package dev.outrider.config;

import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which components a configuration may name: for each kind its names and the configuration record of each. Immutable.
public final class Components {
    private final Map<Class<?>, Kind> kinds;

    /// One kind of component.
    ///
    /// @param noun    what a user calls it, such as `drafter`
    /// @param records the configuration record by component name, sorted
    record Kind(String noun, SortedMap<String, Class<? extends Record>> records) {}

    private Components(Map<Class<?>, Kind> kinds) {
        this.kinds = Map.copyOf(kinds);
    }

    /// No components at all.
    public static Components none() {
        return new Components(Map.of());
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
        return new Components(more);
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
