package dev.outrider.config;

import dev.outrider.spi.config.Doc;
import java.lang.reflect.Type;
import java.util.List;
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
        return (FileBinder.allows(choice) ? Stream.concat(records, Stream.of(inFile())) : records)
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
                FileBinder.FILE,
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
}
