package dev.outrider.cli;

import dev.outrider.common.AtomicFile;
import dev.outrider.common.FailureReason;
import dev.outrider.common.ProcessLock;
import dev.outrider.config.Loaded;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.nn.target.ChatTemplates;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.data.DataConfig;
import dev.outrider.training.data.DataSourceConfig;
import dev.outrider.training.data.TrainingData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `outrider data regenerate`.
@Command(name = "regenerate")
final class DataRegenerateCommand extends Subcommand {
    @Parameters(paramLabel = "CONFIG")
    private Path config = Path.of("");

    @Option(names = "--from", required = true, paramLabel = "FILE")
    private List<Path> from = new ArrayList<>();

    @Option(names = "--out", required = true, paramLabel = "DIR")
    private Path out = Path.of("");

    @Option(names = "--variant", paramLabel = "NAME")
    private Optional<String> variant = Optional.empty();

    @Option(names = "--template", paramLabel = "DIR")
    private Optional<Path> template = Optional.empty();

    @Mixin private ExperimentOptions options = new ExperimentOptions();

    @Override
    public Integer call() {
        var loaded = options.experiment(context(), config);
        var data = TrainingData.open(sources());
        try (var lock =
                ProcessLock.tryTake(out.resolve("regenerate.lock")).orElseThrow(this::busy)) {
            return regenerate(loaded, data);
        } catch (IOException e) {
            throw FailureReason.writing("the folder", out, e);
        }
    }

    private DataConfig sources() {
        var files = from.stream().map(Path::toAbsolutePath).toList();
        var source = new DataSourceConfig(files, Optional.empty(), Optional.empty(), 1);
        return new DataConfig(List.of(source), Optional.empty(), 1, 0.5);
    }

    private int regenerate(Loaded<ExperimentConfig> loaded, TrainingData data) throws IOException {
        var experiment = only(variant.stream().toList(), loaded.config());
        try (var ready = context().load(experiment, false)) {
            requireSame(facts(loaded, ready, data));
            var variant = ready.variants().getLast();
            if (variant.beams().isPresent()) {
                throw ErrorCode.CONFIG_INVALID.error(
                        "variant '%s' searches with beams; answers are drawn one token after another"
                                .formatted(variant.name()),
                        "Choose another variant.");
            }
            var chat = template.or(() -> checkpoint(loaded)).flatMap(ChatTemplates::of);
            try (var file = AnswerFile.open(out.resolve("answers.jsonl"))) {
                var run = new Regeneration(experiment, ready.target(), variant, chat, file);
                var done =
                        run.run(
                                data,
                                context().interrupted(),
                                answered -> err().println(answered + " answers"));
                out().println(done.line(out));
                return done.complete() ? ExitCode.OK : ExitCode.INTERRUPTED;
            }
        }
    }

    private static Optional<Path> checkpoint(Loaded<ExperimentConfig> loaded) {
        return loaded.effective().paths("target").stream()
                .filter(each -> each.key().equals("target.path"))
                .map(each -> ModelPaths.resolved(each.path()))
                .findFirst();
    }

    private Map<String, Object> facts(
            Loaded<ExperimentConfig> loaded, LoadedExperiment ready, TrainingData data) {
        var facts = new LinkedHashMap<String, Object>();
        facts.put("models", ready.modelDigests());
        facts.put("configHash", loaded.effective().configHash());
        facts.put("variant", variant.orElse("plain"));
        facts.put("questions", data.facts());
        facts.put("seed", loaded.config().seed());
        facts.put("sampling", loaded.config().sampling().toString());
        var operators = ready.variants().getLast().decoder().processors().operators();
        if (!operators.isEmpty()) {
            facts.put("operators", operators.label());
        }
        facts.put("maxTokens", loaded.config().maxTokens());
        facts.put("outrider", CommandContext.version());
        return facts;
    }

    /// Fails if the folder has answers of another target, configuration or file of questions.
    private void requireSame(Map<String, Object> facts) throws IOException {
        var file = out.resolve("regeneration.json");
        var text = Json.pretty(facts) + "\n";
        if (!Files.exists(file)) {
            AtomicFile.write(file, text);
        } else if (!Files.readString(file).equals(text)) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "'%s' has answers of another target, configuration or file of questions"
                            .formatted(out),
                    "Choose another folder with --out, or go on with what regeneration.json says.");
        }
    }

    private OutriderException busy() {
        return ErrorCode.IO_FAILED.error(
                "another process writes answers into '%s'".formatted(out),
                "Wait for it, or choose another folder with --out.");
    }
}
