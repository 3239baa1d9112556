package dev.outrider.cli;

import dev.outrider.common.ShapedPath;
import dev.outrider.config.EffectiveConfig;
import dev.outrider.config.EffectiveConfig.NamedPath;
import dev.outrider.config.Loaded;
import dev.outrider.config.YamlText;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.sweep.SweepGridReader.SweepGrid;
import dev.outrider.nn.gguf.GgufFile;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/// The option `--shape`: sets the models of an experiment into larger shapes, as `MODEL@SHAPE` does for one. The target and heads, which
/// need the target's shape, get the first; draft models, which have a tokenizer of their own, the second, or stay as they are. `none`
/// takes all models without a shape.
final class ShapeOption {
    @Option(names = "--shape", descriptionKey = "models-shape", paramLabel = "TARGET[+DRAFT]|none")
    private Optional<String> shapes = Optional.empty();

    private static final String NONE = "none";

    /// Files of a model or of heads, not of a datastore.
    private static final Pattern WEIGHTS = Pattern.compile("(model.*|.*_lm_head)\\.safetensors");

    ShapeOption() {}

    ShapeOption(String shapes) {
        this.shapes = Optional.of(shapes);
    }

    /// Reads an experiment, its models in the shapes.
    ///
    /// @param sets texts after `--set`
    /// @param read reads it with such texts, and fetches its models
    /// @throws OutriderException as [#changes]
    Loaded<ExperimentConfig> experiment(
            List<String> sets, Function<List<String>, Loaded<ExperimentConfig>> read) {
        return read(sets, read, Loaded::effective);
    }

    /// Reads a sweep, the models of all cells in the shapes; an axis that names models keeps them as they are.
    ///
    /// @throws OutriderException as [#changes]
    SweepGrid sweep(List<String> sets, Function<List<String>, SweepGrid> read) {
        return read(sets, read, grid -> grid.cells().getFirst().loaded().effective());
    }

    private <L> L read(
            List<String> sets,
            Function<List<String>, L> read,
            Function<L, EffectiveConfig> effective) {
        var loaded = read.apply(sets);
        var shaped = changes(effective.apply(loaded));
        return shaped.isEmpty()
                ? loaded
                : read.apply(Stream.concat(sets.stream(), shaped.stream()).toList());
    }

    /// Returns the changes of paths, as after `--set`; none without the option.
    ///
    /// @param config with models that are on this machine
    /// @throws OutriderException `USAGE` if a model that needs a shape cannot have one, or there is no draft model for the second
    List<String> changes(EffectiveConfig config) {
        return shapes.map(text -> changes(text, config)).orElse(List.of());
    }

    private static List<String> changes(String text, EffectiveConfig config) {
        if (text.equals(NONE)) {
            return models(config).stream()
                    .map(each -> change(each.key(), source(each).toString()))
                    .toList();
        }
        int plus = text.indexOf('+');
        var target = plus < 0 ? text : text.substring(0, plus);
        var draft = Optional.of(text.substring(plus + 1)).filter(_ -> plus >= 0);
        var changes = new ArrayList<String>();
        boolean drafted = false;
        for (var model : models(config)) {
            var source = source(model);
            boolean gguf = GgufFile.is(source);
            boolean own =
                    !isTarget(model.key())
                            && (gguf || Files.exists(source.resolve("tokenizer.json")));
            drafted |= own;
            var shape = own ? draft : Optional.of(target);
            if (shape.isPresent() && (gguf || !hasConfig(source))) {
                throw new OutriderException(
                        ErrorCode.USAGE,
                        "--shape is %s, but '%s' (%s, %s) %s and cannot be set into a shape"
                                .formatted(
                                        text,
                                        source,
                                        model.key(),
                                        model.place(),
                                        gguf ? "is a GGUF file" : "has no config.json"),
                        "Give a checkpoint in the Hugging Face layout as its path.");
            }
            shape.ifPresent(
                    name -> changes.add(change(model.key(), "%s@%s".formatted(source, name))));
        }
        if (changes.stream().noneMatch(ShapeOption::isTarget)) {
            throw new OutriderException(
                    ErrorCode.USAGE,
                    "--shape is %s, but the target is not a folder with config.json"
                            .formatted(text),
                    "Give a checkpoint in the Hugging Face layout as the target's path.");
        }
        if (draft.isPresent() && !drafted) {
            throw new OutriderException(
                    ErrorCode.USAGE,
                    "--shape is %s, but no variant has a draft model for the shape '%s'"
                            .formatted(text, draft.get()),
                    "Use --shape %s: heads get the target's shape.".formatted(target));
        }
        return changes;
    }

    /// Returns the paths of models: a datastore, for example, has no shape.
    private static List<NamedPath> models(EffectiveConfig config) {
        return Stream.of("target", "variants")
                .flatMap(part -> config.paths(part).stream())
                .filter(each -> isModel(source(each)))
                .toList();
    }

    /// Published heads may lack a config.json.
    private static boolean isModel(Path path) {
        var weights = path.toFile().list((_, name) -> WEIGHTS.matcher(name).matches());
        return GgufFile.is(path) || hasConfig(path) || weights != null && weights.length > 0;
    }

    private static boolean hasConfig(Path folder) {
        return Files.exists(folder.resolve("config.json"));
    }

    private static Path source(NamedPath model) {
        var path = model.path().toAbsolutePath();
        return ShapedPath.of(path).map(ShapedPath::source).orElse(path);
    }

    private static boolean isTarget(String key) {
        return key.startsWith("target.");
    }

    private static String change(String key, String path) {
        return "%s=%s".formatted(key, YamlText.quoted(path));
    }
}
