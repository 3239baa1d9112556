package dev.outrider.config;

import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Conversion of a single YAML value to a Java value, and back to the canonical spelling that the
/// configuration hash uses.
///
/// @param noun      name of the expected value in messages: `an integer`
/// @param note      additional note for writers of YAML, possibly empty
/// @param choices   the possible values, where they can be listed
/// @param style     form of the value in JSON
/// @param parse     reads the text; throws [IllegalArgumentException], with a message if there is
///     more to say than the noun
/// @param canonical writes the canonical spelling
record ScalarType(
        String noun,
        String note,
        List<String> choices,
        Style style,
        Function<String, Object> parse,
        Function<Object, String> canonical) {
    /// Spelling of a value in JSON: bare or in quotes.
    enum Style {
        BARE,
        TEXT
    }

    private static final SequencedMap<Class<?>, ScalarType> SIMPLE = new LinkedHashMap<>();

    static {
        SIMPLE.put(int.class, integer(Integer.MIN_VALUE, Integer.MAX_VALUE, Math::toIntExact));
        SIMPLE.put(long.class, integer(Long.MIN_VALUE, Long.MAX_VALUE, value -> value));
        SIMPLE.put(
                short.class,
                integer(Short.MIN_VALUE, Short.MAX_VALUE, value -> (short) (long) value));
        SIMPLE.put(
                byte.class, integer(Byte.MIN_VALUE, Byte.MAX_VALUE, value -> (byte) (long) value));
        SIMPLE.put(double.class, number(ScalarType::parseDouble));
        SIMPLE.put(float.class, number(ScalarType::parseFloat));
        SIMPLE.put(boolean.class, bare("true or false", "", ScalarType::parseBoolean));
        SIMPLE.put(String.class, text("text", "", text -> text));
        SIMPLE.put(
                Path.class,
                text(
                        "a path",
                        "relative to the directory of the file it is in, after `--set` to the working directory;"
                                + " a model that is read, `path` or `target`, may be a name on the hub: `hf://ORG/NAME`",
                        text -> Path.of(text)));
        SIMPLE.put(
                Duration.class,
                new ScalarType(
                        "a duration such as 500ms, 30s or 1m30s",
                        "units `ns`, `us`, `ms`, `s`, `m`, `h`",
                        List.of(),
                        Style.TEXT,
                        Durations::parse,
                        value -> Durations.format((Duration) value)));
    }

    /// Returns the scalar type of a Java class, or nothing if the class is not a scalar.
    static Optional<ScalarType> of(Class<?> type) {
        if (type.isEnum()) {
            return Optional.of(enumeration(type));
        }
        return Optional.ofNullable(SIMPLE.get(MethodType.methodType(type).unwrap().returnType()));
    }

    /// Returns the classes in words, without enums; classes that read the same values are one
    /// entry.
    static Stream<ValueType> described() {
        SequencedMap<String, ValueType> byNoun = new LinkedHashMap<>();
        SIMPLE.forEach((type, scalar) -> {
            String note = scalar.note().isEmpty() ? "" : "; " + scalar.note();
            byNoun.merge(
                    scalar.noun(),
                    new ValueType("`" + type.getSimpleName() + "`", scalar.noun() + note),
                    (one, other) -> new ValueType(one.java() + ", " + other.java(), one.yaml()));
        });
        return byNoun.values().stream();
    }

    private static ScalarType bare(String noun, String note, Function<String, Object> parse) {
        return new ScalarType(noun, note, List.of(), Style.BARE, parse, String::valueOf);
    }

    private static ScalarType text(String noun, String note, Function<String, Object> parse) {
        return new ScalarType(noun, note, List.of(), Style.TEXT, parse, String::valueOf);
    }

    private static ScalarType number(Function<String, Object> parse) {
        return bare("a number", "finite, without quotes", parse);
    }

    private static ScalarType integer(long min, long max, Function<Long, Object> narrow) {
        return bare(
                "an integer",
                "without quotes; `10_000` is 10000",
                text -> {
                    if (!text.matches("[-+]?(0|[1-9][0-9_]*)")) {
                        throw new IllegalArgumentException();
                    }
                    String range = "an integer between %d and %d".formatted(min, max);
                    long value;
                    try {
                        value = Long.parseLong(text.replace("_", ""));
                    } catch (NumberFormatException e) {
                        throw new IllegalArgumentException(range, e);
                    }
                    if (value < min || value > max) {
                        throw new IllegalArgumentException(range);
                    }
                    return narrow.apply(value);
                });
    }

    private static Object parseDouble(String text) {
        if (!text.matches("[-+]?([0-9][0-9_]*\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?")) {
            throw new IllegalArgumentException();
        }
        double value = Double.parseDouble(text.replace("_", ""));
        if (Double.isInfinite(value)) {
            throw new IllegalArgumentException("a finite number");
        }
        return value == 0 ? 0.0 : value;
    }

    private static Object parseFloat(String text) {
        float value = ((Double) parseDouble(text)).floatValue();
        if (Float.isInfinite(value)) {
            throw new IllegalArgumentException("a number that fits 32 bits");
        }
        return value;
    }

    private static Object parseBoolean(String text) {
        return switch (text) {
            case "true", "True", "TRUE" -> true;
            case "false", "False", "FALSE" -> false;
            default -> throw new IllegalArgumentException();
        };
    }

    private static ScalarType enumeration(Class<?> type) {
        Map<String, Object> byFold =
                Arrays.stream(type.getEnumConstants())
                        .collect(
                                Collectors.toMap(
                                        constant -> fold(((Enum<?>) constant).name()),
                                        constant -> constant));
        List<String> names =
                Arrays.stream(type.getEnumConstants())
                        .map(constant -> Names.kebab(((Enum<?>) constant).name()))
                        .toList();
        String noun = names.size() == 1 ? names.getFirst() : "one of " + String.join(", ", names);
        return new ScalarType(
                noun,
                "",
                names,
                Style.TEXT,
                text ->
                        Optional.ofNullable(byFold.get(fold(text)))
                                .orElseThrow(() -> new IllegalArgumentException(noun)),
                constant -> Names.kebab(((Enum<?>) constant).name()));
    }

    private static String fold(String name) {
        return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }
}
