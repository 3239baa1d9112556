package dev.outrider.cli;

import dev.outrider.common.AtomicFile;
import dev.outrider.common.FailureReason;
import dev.outrider.common.Resource;
import dev.outrider.config.Loaded;
import dev.outrider.config.YamlText;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.hub.HubName;
import dev.outrider.nn.shape.ModelPaths;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `outrider init`: writes a commented configuration for models and prompts. Every drafter is loaded for the target, to find
/// its kind.
@Command(name = "init")
final class InitCommand extends Subcommand {
    private static final String CONFIG = Resource.text(InitCommand.class, "init-experiment.yaml");

    private static final String VARIANT = Resource.text(InitCommand.class, "init-variant.yaml");

    private static final String LOOKUP = Resource.text(InitCommand.class, "init-lookup.yaml");

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./@%+=:,-]+");

    @Option(names = "--target", required = true, paramLabel = "MODEL")
    private String target = "";

    @Option(names = "--drafter", paramLabel = "MODEL")
    private List<String> drafters = List.of();

    @Option(names = "--prompts", paramLabel = "FILE")
    private Optional<Path> prompts = Optional.empty();

    @Option(names = "--out", paramLabel = "FILE", defaultValue = "experiment.yaml")
    private Path out = Path.of("experiment.yaml");

    @Option(names = "--force")
    private boolean force;

    @Override
    public Integer call() {
        require(force || !Files.exists(out), "--out", out, "a new file, or --force to replace it");
        var model = ModelPaths.open(context().local(target)).path();
        var head = head();
        var prompted = read(head + LOOKUP);
        LoadedExperiment.checkWithPrompts(prompted.config(), prompted.effective());
        var text = head + (drafters.isEmpty() ? "" : variants(model)) + LOOKUP;
        read(text);
        write(text);
        out().printf("Wrote %s. Compare with: ./outrider bench %s%n", word(out), word(out));
        return ExitCode.OK;
    }

    private Loaded<ExperimentConfig> read(String text) {
        return context()
                .loader()
                .parse(text, out.toString(), folder(), ExperimentConfig.class, List.of());
    }

    /// Returns a variant for every way in which a drafter can draft.
    private String variants(Path model) {
        var text = new StringBuilder();
        var names = new HashSet<String>();
        var facts = new DrafterFacts(context());
        try (var models = facts.target(model)) {
            for (var drafter : drafters) {
                var fitting = facts.fitting(models, model, context().local(drafter));
                for (var kind : fitting) {
                    var name = "%s %s".formatted(kind, name(drafter));
                    for (int number = 2; !names.add(name); number++) {
                        name = "%s %s %d".formatted(kind, name(drafter), number);
                    }
                    text.append(
                            VARIANT.formatted(
                                    YamlText.quoted(name),
                                    kind,
                                    facts.kinds().get(kind),
                                    path(drafter)));
                }
            }
        }
        return text.toString();
    }

    private String head() {
        var source =
                prompts.map(file ->
                                "# JSON Lines with 'prompt' or 'turns', or text with a prompt a line; limit takes as many.\n"
                                        + "prompts: {file: %s, limit: 12}%n"
                                                .formatted(relative(file)))
                        .orElse(
                                """
                                # Or a file: {file: prompts.jsonl, limit: 12}
                                prompts: {texts: ["Once upon a time", "The capital of France"]}
                                """);
        return CONFIG.formatted(
                target,
                word(out),
                YamlText.quoted(name(target)),
                path(target),
                source,
                threads(Optional.empty()));
    }

    private void write(String text) {
        FailureReason.writing("the file", out, () -> AtomicFile.write(out, text));
    }

    /// Returns a model's path for the file: relative to the file.
    private String path(String model) {
        return HubName.isName(model) ? YamlText.quoted(model) : relative(Path.of(model));
    }

    private String relative(Path path) {
        return YamlText.quoted(folder().relativize(path.toAbsolutePath().normalize()).toString());
    }

    private Path folder() {
        var parent = out.toAbsolutePath().normalize().getParent();
        return parent == null ? Path.of("/") : parent;
    }

    /// Returns a path as one word of a command.
    private static String word(Path path) {
        var text = path.toString();
        return PLAIN.matcher(text).matches() ? text : "'%s'".formatted(text.replace("'", "'\\''"));
    }

    /// Returns the last part of the model's name, in a form that an experiment may have.
    private static String name(String model) {
        var path = HubName.isName(model) ? Path.of(model) : Path.of(model).toAbsolutePath();
        var name = String.valueOf(path.normalize().getFileName());
        var plain = name.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[^A-Za-z0-9]+", "");
        return plain.isEmpty() ? "model" : plain;
    }
}
