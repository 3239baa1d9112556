package dev.outrider.engine.plugins;

import dev.outrider.common.ComponentRegistry;
import dev.outrider.common.NearestName;
import dev.outrider.spi.config.ComponentFactory;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The components of one kind that are installed, by name. Immutable.
public final class Components<F extends ComponentFactory<?>> implements ComponentRegistry.Kind {
    private final ComponentKind<F> kind;
    private final SortedMap<String, Installed<F>> byName;

    private Components(ComponentKind<F> kind, SortedMap<String, Installed<F>> byName) {
        this.kind = kind;
        this.byName = Collections.unmodifiableSortedMap(byName);
    }

    /// One component.
    ///
    /// @param name       its name in configurations
    /// @param factory    makes it
    /// @param configType record of its settings
    /// @param plugin     the plugin that has it
    public record Installed<F extends ComponentFactory<?>>(
            String name, F factory, Class<? extends Record> configType, InstalledPlugin plugin)
            implements ComponentRegistry.Entry {}

    /// Collects components.
    ///
    /// @throws OutriderException `PLUGIN_DUPLICATE` if two have the same name
    static <F extends ComponentFactory<?>> Components<F> of(
            ComponentKind<F> kind, List<Installed<F>> installed) {
        var byName = new TreeMap<String, Installed<F>>();
        for (var each : installed) {
            var first = byName.putIfAbsent(each.name(), each);
            if (first != null) {
                throw ErrorCode.PLUGIN_DUPLICATE.error(
                        "%s '%s' is provided by both %s and %s"
                                .formatted(
                                        kind.noun(),
                                        each.name(),
                                        first.plugin().described(),
                                        each.plugin().described()),
                        "Remove one of the two plugins, or rename its component.");
            }
        }
        return new Components<>(kind, byName);
    }

    /// Returns their kind.
    public ComponentKind<F> kind() {
        return kind;
    }

    @Override
    public String noun() {
        return kind.noun();
    }

    @Override
    public SortedSet<String> names() {
        return new TreeSet<>(byName.keySet());
    }

    /// All of them, in order of their names.
    public List<Installed<F>> all() {
        return List.copyOf(byName.values());
    }

    @Override
    public Optional<String> ofNumber() {
        return kind.ofNumber();
    }

    @Override
    public Optional<Installed<F>> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /// The factory of that name.
    ///
    /// @throws OutriderException `UNKNOWN_COMPONENT` with the nearest name and the list of all
    public F require(String name) {
        return find(name).orElseThrow(() -> unknown(name)).factory();
    }

    private OutriderException unknown(String name) {
        String guess =
                NearestName.to(name, byName.keySet())
                        .map("Did you mean '%s'? "::formatted)
                        .orElse("");
        String all = byName.isEmpty() ? "none" : String.join(", ", byName.keySet());
        return ErrorCode.UNKNOWN_COMPONENT.error(
                "there is no %s '%s'".formatted(kind.noun(), name),
                "%sKnown are: %s.".formatted(guess, all));
    }
}
