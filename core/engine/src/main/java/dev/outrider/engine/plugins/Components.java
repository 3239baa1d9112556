package dev.outrider.engine.plugins;

import dev.outrider.common.NearestName;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// The factories of one kind, by name. Immutable.
///
/// @param kind   what they make, as errors call it: `drafter`, `acceptance rule`, `target`
/// @param byName factories in order of their names
public record Components<F>(String kind, SortedMap<String, F> byName) {
    public Components {
        byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
    }

    /// Collects factories.
    ///
    /// @throws OutriderException `PLUGIN_DUPLICATE` if two have the same name
    static <F> Components<F> of(
            String kind, List<? extends F> factories, Function<F, String> name) {
        var byName = new TreeMap<String, F>();
        for (F factory : factories) {
            var first = byName.putIfAbsent(name.apply(factory), factory);
            if (first != null) {
                throw new OutriderException(
                        ErrorCode.PLUGIN_DUPLICATE,
                        "%s '%s' is provided by both %s and %s"
                                .formatted(
                                        kind,
                                        name.apply(factory),
                                        first.getClass().getName(),
                                        factory.getClass().getName()),
                        "Remove one of the two plugins, or rename its component.");
            }
        }
        return new Components<>(kind, byName);
    }

    /// All names.
    public SortedSet<String> names() {
        return new TreeSet<>(byName.keySet());
    }

    /// The factory of that name.
    ///
    /// @throws OutriderException `UNKNOWN_COMPONENT` with the nearest name and the list of all
    public F require(String name) {
        var factory = byName.get(name);
        if (factory == null) {
            String guess =
                    NearestName.to(name, byName.keySet())
                            .map(nearest -> "Did you mean '%s'? ".formatted(nearest))
                            .orElse("");
            String all = byName.isEmpty() ? "none" : String.join(", ", byName.keySet());
            throw new OutriderException(
                    ErrorCode.UNKNOWN_COMPONENT,
                    "there is no %s '%s'".formatted(kind, name),
                    "%sKnown are: %s.".formatted(guess, all));
        }
        return factory;
    }
}
