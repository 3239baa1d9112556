package dev.outrider.common;

import java.util.Optional;
import java.util.SortedSet;

/// Named components by kind: the view of the plugin registry that a reader of configurations has.
/// Thread-safe.
public interface ComponentRegistry {
    /// The components of one kind.
    interface Kind {
        /// Returns the word for one of them: `drafter`.
        String noun();

        /// Returns all names.
        SortedSet<String> names();

        /// Returns the component with a name.
        Optional<? extends Entry> find(String name);

        /// Returns the name of the component that a bare number means, whose settings have one key;
        /// empty if a number is not allowed.
        default Optional<String> ofNumber() {
            return Optional.empty();
        }
    }

    /// One component.
    interface Entry {
        /// Returns the factory.
        Object factory();

        /// Returns the record type of its settings.
        Class<? extends Record> configType();
    }

    /// Returns the components of a factory type.
    ///
    /// @param factoryType such as the interface of drafters' factories
    Optional<? extends Kind> kind(Class<?> factoryType);

    /// Returns how to add more components, for messages: `plugins in 'plugins' add others`.
    String more();

    /// Returns a registry without any kind.
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
