package dev.outrider.cli;

import dev.outrider.common.ShapedPath;
import dev.outrider.config.EffectiveConfig;
import dev.outrider.config.EffectiveConfig.NamedPath;
import dev.outrider.config.Loaded;
import dev.outrider.config.YamlText;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.sweep.SweepGridReader;
import dev.outrider.experiment.sweep.SweepGridReader.SweepGrid;
import dev.outrider.nn.gguf.GgufFile;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options `--set` and `--shape` of commands that read an experiment. `--shape` sets its models into larger shapes, as
/// `MODEL@SHAPE` does for one model. The target, and heads, which need the target's shape, get the first shape; draft models, which
/// have a separate tokenizer, get the second, or are unchanged. `none` uses all models without a shape.
final class ExperimentOptions {
    @Mixin private Options.SetOption set = new Options.SetOption();

    @Option(names = "--shape", descriptionKey = "models-shape", paramLabel = "TARGET[+DRAFT]|none")
    private Optional<String> shapes = Optional.empty();

    private static final String NONE = "none";

    /// Files of a model or of heads, but not of a datastore.
    private static final Pattern WEIGHTS = Pattern.compile("(model.*|.*_lm_head)\\.safetensors");

    ExperimentOptions() {}

    ExperimentOptions(String shapes) {
        this.shapes = Optional.of(shapes);
    }

    /// Returns the arguments of `--set`.
    List<String> sets() {
        return set.values();
    }

    /// Reads an experiment with its models in the shapes, and fetches its models.
    ///
    /// @throws OutriderException as [#changes]
    Loaded<ExperimentConfig> experiment(CommandContext context, Path file) {
        return experiment(sets(), sets -> context.experiment(file, sets));
    }

    /// Reads an experiment with its models in the shapes.
    ///
    /// @param sets arguments of `--set`
    /// @param read reads it with such arguments, and fetches its models
    /// @throws OutriderException as [#changes]
    Loaded<ExperimentConfig> experiment(
            List<String> sets, Function<List<String>, Loaded<ExperimentConfig>> read) {
        var loaded = read.apply(sets);
        var changes = changes(loaded.effective());
        return changes.isEmpty() ? loaded : read.apply(joined(sets, changes));
    }

    /// Reads a sweep with the models of all cells in the shapes. With the option it fetches the models, because it must read them.
    ///
    /// @throws OutriderException as [#changes] for any cell, and `USAGE` if an axis names a model that would need another shape
    SweepGrid sweep(CommandContext context, Path file) {
        var sets = sets();
        var reader = new SweepGridReader(context.loader());
        var grid = reader.read(file, sets);
        if (shapes.isEmpty()) {
            return grid;
        }
        if (context.fetch(configurations(grid))) {
            grid = reader.read(file, sets);
        }
        var text = shapes.get();
        var plain = configurations(grid);
        var changes = changes(shaped(text, plain.getFirst()));
        requireDraft(text, plain);
        var changed = reader.read(file, joined(sets, changes));
        configurations(changed).forEach(cell -> requireShaped(text, cell));
        return changed;
    }

    private static List<EffectiveConfig> configurations(SweepGrid grid) {
        return grid.cells().stream().map(cell -> cell.loaded().effective()).toList();
    }

    private static List<String> joined(List<String> sets, List<String> changes) {
        return Stream.concat(sets.stream(), changes.stream()).toList();
    }

    /// Refuses a cell with a model that does not have its shape: the values of axes are applied after the changes.
    private static void requireShaped(String text, EffectiveConfig cell) {
        shaped(text, cell)
                .forEach((model, path) -> {
                    if (!model.path().toAbsolutePath().equals(path)) {
                        throw ErrorCode.USAGE.error(
                                "--shape is %s, but an axis of the sweep gives '%s' (%s, %s), which --shape cannot change"
                                        .formatted(text, model.path(), model.key(), model.place()),
                                "Write '%s' there, or leave --shape out.".formatted(path));
                    }
                });
    }

    /// Returns the changes of paths, in the form of `--set`; none without the option.
    ///
    /// @param config with models that are on this machine
    /// @throws OutriderException `USAGE` if a model that needs a shape cannot have one, or there is no draft model for the second
    List<String> changes(EffectiveConfig config) {
        return shapes.map(
                        text -> {
                            var changes = changes(shaped(text, config));
                            requireDraft(text, List.of(config));
                            return changes;
                        })
                .orElse(List.of());
    }

    private static List<String> changes(Map<NamedPath, Path> shaped) {
        return shaped.entrySet().stream()
                .map(each ->
                        "%s=%s"
                                .formatted(
                                        each.getKey().key(),
                                        YamlText.quoted(each.getValue().toString())))
                .toList();
    }

    /// Returns the paths that models should have, without those that are unchanged.
    private static Map<NamedPath, Path> shaped(String text, EffectiveConfig config) {
        var shaped = new LinkedHashMap<NamedPath, Path>();
        if (text.equals(NONE)) {
            models(config).forEach(each -> shaped.put(each, source(each)));
            return shaped;
        }
        for (var model : models(config)) {
            var source = source(model);
            boolean gguf = GgufFile.is(source);
            var shape = isDraft(model) ? draft(text) : Optional.of(target(text));
            if (shape.isPresent() && (gguf || !hasConfig(source))) {
                throw ErrorCode.USAGE.error(
                        "--shape is %s, but '%s' (%s, %s) %s and cannot be set into a shape"
                                .formatted(
                                        text,
                                        source,
                                        model.key(),
                                        model.place(),
                                        gguf ? "is a GGUF file" : "has no config.json"),
                        "Give a checkpoint in the Hugging Face layout as its path.");
            }
            shape.ifPresent(name -> shaped.put(model, Path.of("%s@%s".formatted(source, name))));
        }
        if (shaped.keySet().stream().noneMatch(ExperimentOptions::isTarget)) {
            throw ErrorCode.USAGE.error(
                    "--shape is %s, but the target is not a folder with config.json"
                            .formatted(text),
                    "Give a checkpoint in the Hugging Face layout as the target's path.");
        }
        return shaped;
    }

    private static void requireDraft(String text, List<EffectiveConfig> all) {
        var draft = draft(text);
        if (draft.isPresent()
                && all.stream()
                        .flatMap(each -> models(each).stream())
                        .noneMatch(ExperimentOptions::isDraft)) {
            throw ErrorCode.USAGE.error(
                    "--shape is %s, but no variant has a draft model for the shape '%s'"
                            .formatted(text, draft.get()),
                    "Use --shape %s: heads get the target's shape.".formatted(target(text)));
        }
    }

    private static String target(String text) {
        int plus = text.indexOf('+');
        return plus < 0 ? text : text.substring(0, plus);
    }

    private static Optional<String> draft(String text) {
        int plus = text.indexOf('+');
        return plus < 0 ? Optional.empty() : Optional.of(text.substring(plus + 1));
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

    private static boolean isTarget(NamedPath model) {
        return model.key().startsWith("target.");
    }

    /// Returns whether a model is a draft model with a separate tokenizer.
    private static boolean isDraft(NamedPath model) {
        var source = source(model);
        return !isTarget(model)
                && (GgufFile.is(source) || Files.exists(source.resolve("tokenizer.json")));
    }
}
