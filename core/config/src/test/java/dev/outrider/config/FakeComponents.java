package dev.outrider.config;

import dev.outrider.common.ComponentRegistry;
import dev.outrider.spi.draft.Drafter;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// A registry without plugins. Immutable.
record FakeComponents(Map<Class<?>, Named> kinds) implements ComponentRegistry {
    /// A registry of one kind.
    record Named(String noun, Map<String, Made> made) implements Kind {
        @Override
        public SortedSet<String> names() {
            return new TreeSet<>(made.keySet());
        }

        @Override
        public Optional<Made> find(String name) {
            return Optional.ofNullable(made.get(name));
        }
    }

    /// A registry of one component.
    record Made(Object factory, Class<? extends Record> configType) implements Entry {}

    static FakeComponents of(Class<?> factoryType, String noun, Map<String, Made> made) {
        return new FakeComponents(Map.of(factoryType, new Named(noun, made)));
    }

    static FakeComponents drafters(Drafter.Factory<?>... factories) {
        var made = new TreeMap<String, Made>();
        for (var factory : factories) {
            made.put(factory.name(), new Made(factory, factory.configType()));
        }
        return of(Drafter.Factory.class, "drafter", made);
    }

    /// Returns these and another kind.
    FakeComponents and(Class<?> factoryType, String noun, Map<String, Made> made) {
        var more = new HashMap<>(kinds);
        more.put(factoryType, new Named(noun, made));
        return new FakeComponents(more);
    }

    @Override
    public Optional<Named> kind(Class<?> factoryType) {
        return Optional.ofNullable(kinds.get(factoryType));
    }

    @Override
    public String more() {
        return "plugins in 'plugins' add others";
    }
}
