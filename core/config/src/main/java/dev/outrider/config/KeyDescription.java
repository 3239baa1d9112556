package dev.outrider.config;

import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.DrafterChoice;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// One configuration key, for `--help` and `plugins describe`.
///
/// @param name         canonical spelling
/// @param type         its type, in words
/// @param required     whether it must be given
/// @param defaultValue its default as YAML
/// @param doc          its meaning, possibly empty
/// @param nested       the keys below it; of a choice, one entry for each alternative
public record KeyDescription(
        String name,
        String type,
        boolean required,
        Optional<String> defaultValue,
        String doc,
        List<KeyDescription> nested) {

    /// Begin of the type of a list.
    public static final String LIST_OF = "list of ";

    /// Begin of the type of a mapping with free keys.
    public static final String MAPPING_TO = "mapping of names to ";

    private static final String ALTERNATIVE = "alternative";

    public KeyDescription {
        nested = List.copyOf(nested);
    }

    /// Returns the keys of a configuration record, in order.
    ///
    /// @throws dev.outrider.spi.error.OutriderException PLUGIN_INVALID if the type cannot be a
    ///     configuration record
    public static List<KeyDescription> of(Class<? extends Record> type) {
        return keys(RecordSchema.of(type));
    }

    /// Returns whether this is not a key but one of the forms of the value above it.
    public boolean alternative() {
        return type.equals(ALTERNATIVE);
    }

    private static List<KeyDescription> keys(RecordSchema schema) {
        return schema.keys().stream()
                .map(key ->
                        new KeyDescription(
                                key.name(),
                                type(key.type()),
                                key.required(),
                                key.defaultText(),
                                key.doc(),
                                nested(key.type())))
                .toList();
    }

    private static String type(Type type) {
        Class<?> raw = ValueShape.rawClass(type);
        return switch (ValueShape.of(type)) {
            case SCALAR -> ScalarType.of(raw).orElseThrow().noun().replaceFirst("^an? ", "");
            case OPTIONAL -> type(ValueShape.argument(type));
            case LIST -> LIST_OF + type(ValueShape.argument(type));
            case MAP -> MAPPING_TO + type(ValueShape.argument(type));
            case RECORD -> "mapping";
            case CHOICE -> ChoiceBinder.noun(raw);
            case COMPONENT -> chosenByUse(ValueShape.rawClass(ValueShape.argument(type)));
            case DRAFTER -> chosenByUse(raw);
        };
    }

    /// Returns `drafter` for `Drafter.Factory` and `DrafterChoice`.
    private static String chosenByUse(Class<?> type) {
        return Names.kebab(made(type).getSimpleName().replaceFirst("(Factory|Choice|Model)$", ""))
                        .replace('-', ' ')
                + ", chosen by 'use'";
    }

    private static List<KeyDescription> nested(Type type) {
        Class<?> raw = ValueShape.rawClass(type);
        return switch (ValueShape.of(type)) {
            case SCALAR, COMPONENT, DRAFTER -> List.of();
            case OPTIONAL, LIST, MAP -> nested(ValueShape.argument(type));
            case RECORD -> keys(RecordSchema.of(raw));
            case CHOICE -> alternatives(raw);
        };
    }

    private static List<KeyDescription> alternatives(Class<?> choice) {
        var records = RecordSchema.alternatives(choice).stream().map(KeyDescription::alternative);
        return (Binder.FileBinder.allows(choice)
                        ? Stream.concat(records, Stream.of(inFile()))
                        : records)
                .toList();
    }

    private static KeyDescription alternative(RecordSchema schema) {
        return new KeyDescription(
                schema.alternativeName(),
                ALTERNATIVE,
                false,
                Optional.empty(),
                doc(schema),
                keys(schema));
    }

    private static KeyDescription inFile() {
        return new KeyDescription(
                Binder.FileBinder.FILE,
                ALTERNATIVE,
                false,
                Optional.empty(),
                "A file that holds the value.",
                List.of());
    }

    private static String doc(RecordSchema schema) {
        var doc = schema.type().getAnnotation(Doc.class);
        return doc == null ? "" : doc.value();
    }

    /// Returns the enclosing type of a type named `Factory`, otherwise the type itself.
    private static Class<?> made(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return outer != null && type.getSimpleName().equals("Factory") ? outer : type;
    }

    /// A type that the component of a configuration record may have, in words.
    ///
    /// @param java its form in the record, in Markdown
    /// @param yaml its form in YAML, in Markdown
    public record ValueType(String java, String yaml) {
        /// Returns all types.
        public static List<ValueType> all() {
            return Arrays.stream(ValueShape.values()).flatMap(ValueType::of).toList();
        }

        private static Stream<ValueType> of(ValueShape shape) {
            return switch (shape) {
                case SCALAR ->
                        Stream.concat(
                                ScalarType.described(),
                                row("an enum", "the name of a constant: `FLOAT32` as `float32`"));
                case OPTIONAL ->
                        row("`Optional<T>`", "what stands for `T`; nothing if it is left out");
                case LIST -> row("`List<T>`", "a list of what stands for `T`");
                case MAP -> row("`Map<String, T>`", "a mapping of names to what stands for `T`");
                case RECORD -> row("a record", "a mapping; the record's components are its keys");
                case CHOICE ->
                        Stream.concat(
                                row(
                                        "a sealed interface of records",
                                        "one of the records: its name, `{use: NAME, KEY: ...}`, `{NAME: {KEY: ...}}` or its keys"
                                                + " alone; a bare number is the key of the first record that has only one"),
                                row("`TreePlan`", "also `{file: PATH}`, the path of a tree file"));
                case COMPONENT ->
                        row(
                                "`Component<F>`",
                                "`use: NAME` with the keys of that component, or its bare name; in Outrider's own records");
                case DRAFTER ->
                        row(
                                "`DrafterChoice`",
                                "`use: NAME` with the keys of that drafter, or its name");
            };
        }

        private static Stream<ValueType> row(String java, String yaml) {
            return Stream.of(new ValueType(java, yaml));
        }
    }

    /// The shapes of types that a component of a configuration record may have: one list for binding, descriptions of keys and [KeyDescription.ValueType].
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
            throw RecordSchema.invalid(
                    type.getClass(), "cannot stand for the generic type " + type);
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
            throw RecordSchema.invalid(
                    type.getClass(), "cannot stand for the generic type " + type);
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
}
