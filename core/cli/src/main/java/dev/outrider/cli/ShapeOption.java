package dev.outrider.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.common.ShapedPath;
import dev.outrider.config.ConfigLoader;
import dev.outrider.config.EffectiveConfig;
import dev.outrider.experiment.results.Json;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/// The option `--shape`: sets the models of an experiment into larger shapes, as `MODEL@SHAPE` does for one. The target and heads, which
/// need the target's shape, get the first; draft models, which have a tokenizer of their own, the second, or stay as they are.
final class ShapeOption {
    @Option(names = "--shape", paramLabel = "TARGET[+DRAFT]")
    private Optional<String> shapes = Optional.empty();

    private static final Path HERE = Path.of("").toAbsolutePath();

    ShapeOption() {}

    ShapeOption(String shapes) {
        this.shapes = Optional.of(shapes);
    }

    /// Returns the changes of paths, as after `--set`; none without the option.
    ///
    /// @throws OutriderException `USAGE` if the target is not a checkpoint's folder
    List<String> changes(EffectiveConfig config) {
        var changes = new ArrayList<String>();
        shapes.ifPresent(text -> {
            int plus = text.indexOf('+');
            var target = plus < 0 ? text : text.substring(0, plus);
            var draft = Optional.of(text.substring(plus + 1)).filter(_ -> plus >= 0);
            visit(
                    "",
                    Json.tree(config.toJson(HERE)),
                    (key, value) -> {
                        var path = HERE.resolve(value).normalize();
                        var folder = ShapedPath.of(path).map(ShapedPath::source).orElse(path);
                        boolean own =
                                !key.startsWith("target.")
                                        && Files.exists(folder.resolve("tokenizer.json"));
                        if (Files.exists(folder.resolve("config.json"))) {
                            (own ? draft : Optional.of(target))
                                    .ifPresent(shape -> changes.add(change(key, folder, shape)));
                        }
                    });
            if (changes.stream().noneMatch(change -> change.startsWith("target."))) {
                throw new OutriderException(
                        ErrorCode.USAGE,
                        "--shape is %s, but the target is not a folder with config.json"
                                .formatted(text),
                        "Give a checkpoint in the Hugging Face layout as the target's path.");
            }
        });
        return changes;
    }

    private static String change(String key, Path folder, String shape) {
        return "%s=%s".formatted(key, ConfigLoader.quoted(folder + "@" + shape));
    }

    private interface Visitor {
        void text(String key, String value);
    }

    private static void visit(String key, JsonNode node, Visitor visitor) {
        if (node.isTextual() && key.endsWith("path")) {
            visitor.text(key, node.textValue());
        }
        for (int index = 0; index < node.size() && node.isArray(); index++) {
            visit("%s[%d]".formatted(key, index), node.get(index), visitor);
        }
        for (var entry : node.properties()) {
            visit(
                    key.isEmpty() ? entry.getKey() : key + "." + entry.getKey(),
                    entry.getValue(),
                    visitor);
        }
    }
}
