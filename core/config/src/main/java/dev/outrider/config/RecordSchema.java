package dev.outrider.config;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The keys of a configuration record, from the record's components.
///
/// @param type        the record
/// @param keys        one for each component, in order, and all keys of one that is [Inline]
/// @param inlined     for each component, the record whose keys are inlined, if it is one
/// @param constructor the canonical constructor, accessible
record RecordSchema(
        Class<?> type,
        List<Key> keys,
        List<Optional<RecordSchema>> inlined,
        Constructor<?> constructor) {

    /// Schemas by type; an entry is unloaded with its type, so a plugin's classes can be unloaded.
    private static final ClassValue<RecordSchema> CACHE =
            new ClassValue<>() {
                @Override
                protected RecordSchema computeValue(Class<?> type) {
                    return read(type);
                }
            };

    /// One key.
    ///
    /// @param name         canonical spelling, the component's name
    /// @param type         generic type of the component
    /// @param defaultValue parsed default, if it has one
    /// @param defaultText  the default in the annotation
    /// @param doc          the documentation, possibly empty
    record Key(
            String name,
            Type type,
            Optional<YamlNode> defaultValue,
            Optional<String> defaultText,
            String doc) {
        boolean optional() {
            return type instanceof ParameterizedType generic
                    && generic.getRawType() == Optional.class;
        }

        boolean required() {
            return !optional() && defaultValue.isEmpty();
        }
    }

    /// Returns the schema of a record type.
    ///
    /// @throws OutriderException PLUGIN_INVALID if the type cannot be a configuration record
    static RecordSchema of(Class<?> type) {
        return CACHE.get(type);
    }

    private static RecordSchema read(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        if (components == null) {
            throw invalid(type, "is not a record");
        }
        List<Key> keys = new ArrayList<>();
        List<Optional<RecordSchema>> inlined = new ArrayList<>();
        for (RecordComponent component : components) {
            Optional<RecordSchema> inner = inner(component);
            inlined.add(inner);
            keys.addAll(
                    inner.map(RecordSchema::keys).orElseGet(() -> List.of(key(type, component))));
        }
        Set<String> names = new HashSet<>();
        for (Key key : keys) {
            if (!names.add(key.name())) {
                throw invalid(type, "has two keys '" + key.name() + "'");
            }
        }
        return new RecordSchema(
                type, List.copyOf(keys), List.copyOf(inlined), constructor(type, components));
    }

    List<String> names() {
        return keys.stream().map(Key::name).toList();
    }

    Optional<Key> key(String name) {
        return keys.stream().filter(key -> key.name().equals(name)).findFirst();
    }

    /// Calls the canonical constructor, after those of the inlined records.
    ///
    /// @param values one for each key, in order
    /// @throws RuntimeException what a constructor throws for invalid values
    Object create(List<Object> values) {
        return create(values.iterator());
    }

    private Object create(Iterator<Object> values) {
        List<Object> arguments = new ArrayList<>();
        for (Optional<RecordSchema> inner : inlined) {
            arguments.add(inner.isPresent() ? inner.get().create(values) : values.next());
        }
        try {
            return constructor.newInstance(arguments.toArray());
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            if (cause instanceof RuntimeException refused) {
                throw refused;
            }
            throw new IllegalStateException("constructor of " + type.getName() + " failed", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "constructor of " + type.getName() + " cannot be called", e);
        }
    }

    /// Returns the records that a sealed interface permits, also through nested sealed interfaces.
    static List<RecordSchema> alternatives(Class<?> sealed) {
        return leaves(sealed).map(RecordSchema::of).toList();
    }

    /// Returns the name of a record as an alternative: `LevelWidths` is `level-widths`.
    String alternativeName() {
        return Names.kebab(type.getSimpleName());
    }

    static OutriderException invalid(Class<?> type, String what) {
        return ErrorCode.PLUGIN_INVALID.error(
                "configuration type " + type.getName() + " " + what,
                "Use records whose components are of these types: %s."
                        .formatted(
                                ValueType.all().stream()
                                        .map(each -> each.java().replace("`", ""))
                                        .collect(Collectors.joining(", "))));
    }

    private static Stream<Class<?>> leaves(Class<?> type) {
        if (type.isRecord()) {
            return Stream.of(type);
        }
        if (!type.isSealed()) {
            throw invalid(type, "is neither a record nor sealed");
        }
        return Arrays.stream(type.getPermittedSubclasses()).flatMap(RecordSchema::leaves);
    }

    private static Optional<RecordSchema> inner(RecordComponent component) {
        return component.isAnnotationPresent(Inline.class)
                ? Optional.of(of(component.getType()))
                : Optional.empty();
    }

    private static Key key(Class<?> owner, RecordComponent component) {
        Optional<String> text =
                Optional.ofNullable(component.getAnnotation(Default.class)).map(Default::value);
        Optional<YamlNode> value = text.map(yaml -> parseDefault(owner, component.getName(), yaml));
        String doc =
                Optional.ofNullable(component.getAnnotation(Doc.class)).map(Doc::value).orElse("");
        return new Key(component.getName(), component.getGenericType(), value, text, doc);
    }

    private static YamlNode parseDefault(Class<?> owner, String name, String yaml) {
        var origin = Origin.defaultOf(owner);
        try {
            return YamlReader.read(yaml, (_, _) -> origin);
        } catch (YamlReader.SyntaxException e) {
            throw invalid(
                    owner, "has a default of '" + name + "' that is not YAML: " + e.problem());
        }
    }

    private static Constructor<?> constructor(Class<?> type, RecordComponent[] components) {
        Class<?>[] parameters =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(parameters);
            if (!constructor.trySetAccessible()) {
                throw invalid(type, "is not open to Outrider; open or export its package");
            }
            return constructor;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(
                    "a record always has a canonical constructor: " + type, e);
        }
    }
}
