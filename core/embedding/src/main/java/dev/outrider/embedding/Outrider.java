package dev.outrider.embedding;

import java.util.Map;

/// The entry point of a program:
///
/// ```java
/// try (var generator = Outrider.target("vector", Map.of("path", "models/demo-target"))
///         .drafter("small-model", Map.of("path", "models/demo-draft", "length", 4))
///         .open()) {
///     IO.println(generator.generate("Once upon a time", 64).text());
/// }
/// ```
public final class Outrider {
    private Outrider() {}

    /// Chooses the model whose distribution the output follows. Loads nothing.
    ///
    /// @param name     of a target, such as `vector`
    /// @param settings its keys as in YAML. Values are texts, numbers, truth values, paths, enum constants, lists, and maps of
    ///                 these; relative paths are relative to the working directory
    /// @return what the generator is to be; without a drafter it decodes plainly
    public static GeneratorBuilder target(String name, Map<String, ?> settings) {
        return new GeneratorBuilder(name, settings);
    }
}
