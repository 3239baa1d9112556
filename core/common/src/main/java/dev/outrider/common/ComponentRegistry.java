package dev.outrider.common;

import java.util.Optional;
import java.util.SortedSet;

/// What can be named, by kind: all that a reader of configurations knows of the plugins. Implemented by their registry;
/// thread-safe.
public interface ComponentRegistry {
    /// The components of one kind.
    interface Kind {
        /// What a user calls one of them: `drafter`.
        String noun();

        /// All names.
        SortedSet<String> names();

        /// The component of a name.
        Optional<? extends Entry> find(String name);

        /// Name of the component that a bare number means, whose settings have one key; empty if a number means nothing.
        default Optional<String> ofNumber() {
            return Optional.empty();
        }
    }

    /// One component.
    interface Entry {
        /// What makes it.
        Object factory();

        /// The record that its settings bind to.
        Class<? extends Record> configType();
    }

    /// The components that factories of a type make.
    ///
    /// @param factoryType such as the interface of drafters' factories
    Optional<? extends Kind> kind(Class<?> factoryType);

    /// How more components are added, for messages: `plugins in 'plugins' add others`.
    String more();

    /// A registry without any kind.
    static ComponentRegistry empty() {
        return new ComponentRegistry() {
            @Override
            public Optional<Kind> kind(Class<?> factoryType) {
                return Optional.empty();
            }

            @Override
            public String more() {
                return "nothing adds any";
            }
        };
    }
}
