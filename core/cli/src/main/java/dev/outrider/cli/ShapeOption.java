package dev.outrider.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outrider.config.EffectiveConfig;
import dev.outrider.experiment.results.Json;
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

    ShapeOption() {}

    ShapeOption(String shapes) {
        this.shapes = Optional.of(shapes);
    }

    /// Returns the changes of paths, as after `--set`; none without the option.
    List<String> changes(EffectiveConfig config) {
        var changes = new ArrayList<String>();
        shapes.ifPresent(text -> {
            var here = Path.of("").toAbsolutePath();
            int plus = text.indexOf('+');
            var target = plus < 0 ? text : text.substring(0, plus);
            var draft = plus < 0 ? "" : text.substring(plus);
            visit(
                    "",
                    Json.tree(config.toJson(here)),
                    (key, value) -> {
                        var folder = here.resolve(value).normalize();
                        boolean model = Files.exists(folder.resolve("config.json"));
                        boolean own =
                                !key.startsWith("target.")
                                        && Files.exists(folder.resolve("tokenizer.json"));
                        var shape = own ? draft.replaceFirst("^\\+", "") : target;
                        if (model && !shape.isEmpty()) {
                            changes.add(
                                    "%s='%s@%s'"
                                            .formatted(
                                                    key,
                                                    folder.toString().replace("'", "''"),
                                                    shape));
                        }
                    });
        });
        return changes;
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
