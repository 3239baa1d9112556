package dev.outrider.cli;

import dev.outrider.config.Loaded;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.PromptSource;
import dev.outrider.experiment.predict.Prediction;
import dev.outrider.experiment.predict.Prediction.PredictedVariant;
import dev.outrider.experiment.predict.Prediction.PredictionReport;
import dev.outrider.experiment.predict.PredictionTable;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.run.ComparisonPlan;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.PromptEncoder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `outrider predict`: predicts tokens per round before anything is decoded with a drafter.
@Command(name = "predict")
final class PredictCommand extends Subcommand {
    @Parameters(paramLabel = "CONFIG")
    private Path config = Path.of("");

    @Option(names = "--prompts", paramLabel = "FILE")
    private Optional<Path> prompts = Optional.empty();

    @Option(names = "--measure")
    private boolean measure;

    @Option(names = "--json")
    private boolean json;

    @Mixin private ExperimentOptions options = new ExperimentOptions();

    @Override
    public Integer call() {
        var loaded = options.experiment(context(), config);
        var experiment = loaded.config();
        LoadedExperiment.checkWithPrompts(experiment, loaded.effective());
        try (var ready = context().load(experiment, false)) {
            var plan = ready.plan(experiment);
            var own = prompts.map(file -> onPrompts(file, ready, experiment, plan)).orElse(plan);
            var found = predict(own);
            print(loaded, ready, own, plan, measure ? measured(found, plan) : found);
            return context().interruption().requested() ? ExitCode.INTERRUPTED : ExitCode.OK;
        } catch (CancellationException e) {
            err().println("Interrupted; nothing was predicted.");
            return ExitCode.INTERRUPTED;
        }
    }

    private static ComparisonPlan onPrompts(
            Path file, LoadedExperiment ready, ExperimentConfig experiment, ComparisonPlan plan) {
        var source = new PromptSource.FromFile(file, List.of(), 0);
        var encoder = new PromptEncoder(ready.target(), experiment.maxTokens());
        return plan.withPrompts(encoder.encode(source));
    }

    private List<PredictedVariant> predict(ComparisonPlan plan) {
        try (var progress = new ConsoleProgress(context().console(), "predicting")) {
            return new Prediction(plan, progress, context().interrupted()).run();
        }
    }

    private List<PredictedVariant> measured(List<PredictedVariant> predicted, ComparisonPlan plan) {
        var result = context().compare(plan);
        return result.generations().isEmpty() ? predicted : Prediction.beside(predicted, result);
    }

    private void print(
            Loaded<ExperimentConfig> loaded,
            LoadedExperiment ready,
            ComparisonPlan own,
            ComparisonPlan plan,
            List<PredictedVariant> found) {
        var experiment = loaded.config();
        boolean beside = found.stream().anyMatch(variant -> variant.measured().isPresent());
        var report =
                new PredictionReport(
                        experiment.name(),
                        loaded.effective().configHash(),
                        experiment.seed(),
                        own.prompts().size(),
                        beside ? plan.prompts().size() : 0,
                        new TreeMap<>(ready.modelDigests()),
                        found);
        out().print(json ? Json.pretty(report) : PredictionTable.of(found));
        out().flush();
    }
}
