package dev.outrider.config;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

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
            case OPTIONAL -> row("`Optional<T>`", "what stands for `T`; nothing if it is left out");
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
