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

/// The factories of one kind, by name. Immutable.
///
/// @param kind    what they make, as errors call it: `drafter`, `acceptance rule`, `target`
/// @param byName  factories in order of their names
/// @param origins where each came from, by name
public record Components<F>(
        String kind, SortedMap<String, F> byName, SortedMap<String, String> origins) {
    public Components {
        byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
        origins = Collections.unmodifiableSortedMap(new TreeMap<>(origins));
    }

    /// A factory, its name, and the plugin that lists it.
    record Named<F>(String name, F factory, InstalledPlugin plugin) {}

    /// Collects factories.
    ///
    /// @throws OutriderException `PLUGIN_DUPLICATE` if two have the same name
    static <F> Components<F> of(String kind, List<Named<F>> factories) {
        var byName = new TreeMap<String, Named<F>>();
        for (var factory : factories) {
            var first = byName.putIfAbsent(factory.name(), factory);
            if (first != null) {
                throw new OutriderException(
                        ErrorCode.PLUGIN_DUPLICATE,
                        "%s '%s' is provided by both %s and %s"
                                .formatted(
                                        kind,
                                        factory.name(),
                                        first.plugin().described(),
                                        factory.plugin().described()),
                        "Remove one of the two plugins, or rename its component.");
            }
        }
        var factoryOf = new TreeMap<String, F>();
        var originOf = new TreeMap<String, String>();
        byName.forEach((name, named) -> {
            factoryOf.put(name, named.factory());
            originOf.put(name, named.plugin().origin());
        });
        return new Components<>(kind, factoryOf, originOf);
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
