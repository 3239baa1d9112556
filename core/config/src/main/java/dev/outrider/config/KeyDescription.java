package dev.outrider.config;

import dev.outrider.spi.DrafterChoice;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// One configuration key, for `--help` and `plugins describe`.
///
/// @param name         canonical spelling
/// @param type         what may stand there, in words
/// @param required     whether it must be given
/// @param defaultValue its default as YAML
/// @param doc          what it means, maybe empty
/// @param nested       the keys below it; of a choice, one entry for each alternative
public record KeyDescription(
        String name,
        String type,
        boolean required,
        Optional<String> defaultValue,
        String doc,
        List<KeyDescription> nested) {

    public KeyDescription {
        nested = List.copyOf(nested);
    }

    /// The keys of a configuration record, in order.
    ///
    /// @throws dev.outrider.spi.OutriderException PLUGIN_INVALID if the type cannot be a configuration record
    public static List<KeyDescription> of(Class<? extends Record> type) {
        return keys(RecordSchema.of(type));
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
        Class<?> raw = Binder.rawClass(type);
        if (type instanceof ParameterizedType generic) {
            Type last =
                    generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
            if (raw == Optional.class) {
                return type(last);
            }
            if (raw == List.class) {
                return "list of " + type(last);
            }
            return raw == Map.class
                    ? "mapping of names to " + type(last)
                    : "component, chosen by 'use'";
        }
        return ScalarType.of(raw)
                .map(scalar -> scalar.noun().replaceFirst("^an? ", ""))
                .orElseGet(() -> {
                    if (raw == DrafterChoice.class) {
                        return "drafter, chosen by 'use'";
                    }
                    return raw.isRecord() ? "mapping" : ChoiceBinder.noun(raw);
                });
    }

    private static List<KeyDescription> nested(Type type) {
        Class<?> raw = Binder.rawClass(type);
        if (type instanceof ParameterizedType generic) {
            return raw == Component.class
                    ? List.of()
                    : nested(
                            generic.getActualTypeArguments()[
                                    generic.getActualTypeArguments().length - 1]);
        }
        if (raw == DrafterChoice.class) {
            return List.of();
        }
        if (raw.isRecord()) {
            return keys(RecordSchema.of(raw));
        }
        if (ScalarType.of(raw).isPresent()) {
            return List.of();
        }
        var alternatives = RecordSchema.alternatives(raw).stream().map(KeyDescription::alternative);
        return (FileBinder.allows(raw)
                        ? Stream.concat(alternatives, Stream.of(inFile()))
                        : alternatives)
                .toList();
    }

    private static KeyDescription alternative(RecordSchema schema) {
        return new KeyDescription(
                schema.alternativeName(),
                "alternative",
                false,
                Optional.empty(),
                doc(schema),
                keys(schema));
    }

    private static KeyDescription inFile() {
        return new KeyDescription(
                FileBinder.FILE,
                "alternative",
                false,
                Optional.empty(),
                "A file that holds the value.",
                List.of());
    }

    private static String doc(RecordSchema schema) {
        var doc = schema.type().getAnnotation(dev.outrider.spi.Doc.class);
        return doc == null ? "" : doc.value();
    }
}
