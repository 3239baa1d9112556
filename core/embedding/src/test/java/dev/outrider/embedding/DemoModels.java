package dev.outrider.embedding;

import java.nio.file.Path;
import java.util.Map;

/// The trained models in the repository.
final class DemoModels {
    static final Path ROOT = Path.of(System.getProperty("outrider.root", "../.."));
    static final Map<String, Path> TARGET = Map.of("path", ROOT.resolve("models/demo-target"));

    private DemoModels() {}

    static GeneratorBuilder plain() {
        return Outrider.target("vector", TARGET);
    }

    /// With the small model, which drafts chains.
    static GeneratorBuilder drafting() {
        return plain().drafter(
                        "small-model",
                        Map.of("path", ROOT.resolve("models/demo-draft"), "length", 4));
    }
}
