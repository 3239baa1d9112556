package dev.outrider.config;

import dev.outrider.spi.draft.DrafterChoice;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The shapes of types that a component of a configuration record may have: one list for binding, descriptions of keys and [ValueType].
enum ValueShape {
    SCALAR,
    OPTIONAL,
    LIST,
    MAP,
    RECORD,
    CHOICE,
    COMPONENT,
    DRAFTER;

    /// Returns the shape of a type.
    ///
    /// @throws dev.outrider.spi.error.OutriderException PLUGIN_INVALID if no value can be read into
    ///     it
    static ValueShape of(Type type) {
        if (type instanceof ParameterizedType generic
                && generic.getRawType() instanceof Class<?> raw) {
            return ofGeneric(generic, raw);
        }
        if (type instanceof Class<?> plain) {
            return ofClass(plain);
        }
        throw RecordSchema.invalid(type.getClass(), "cannot stand for the generic type " + type);
    }

    private static ValueShape ofGeneric(ParameterizedType type, Class<?> raw) {
        if (raw == Optional.class) {
            return OPTIONAL;
        }
        if (raw == List.class) {
            return LIST;
        }
        if (raw == Map.class && type.getActualTypeArguments()[0] == String.class) {
            return MAP;
        }
        if (raw == Component.class) {
            return COMPONENT;
        }
        throw RecordSchema.invalid(raw, "cannot be read from YAML");
    }

    private static ValueShape ofClass(Class<?> type) {
        if (ScalarType.of(type).isPresent()) {
            return SCALAR;
        }
        if (type == DrafterChoice.class) {
            return DRAFTER;
        }
        if (type.isRecord()) {
            return RECORD;
        }
        if (type.isInterface() && type.isSealed()) {
            return CHOICE;
        }
        throw RecordSchema.invalid(type, "cannot be read from YAML");
    }

    /// Returns the class of a type, without its arguments.
    static Class<?> rawClass(Type type) {
        if (type instanceof Class<?> plain) {
            return plain;
        }
        if (type instanceof ParameterizedType generic
                && generic.getRawType() instanceof Class<?> raw) {
            return raw;
        }
        throw RecordSchema.invalid(type.getClass(), "cannot stand for the generic type " + type);
    }

    /// Returns the last type argument: the content of an optional, a list or a mapping, or the
    /// factory's type of a component.
    static Type argument(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            return arguments[arguments.length - 1];
        }
        throw RecordSchema.invalid(rawClass(type), "has no type argument");
    }
}
