package dev.outrider.cli;

import dev.outrider.training.DocumentSource;
import dev.outrider.training.PairSource;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.TrainingProgress;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// What the command line lends trainers, and shows of them.
final class ConsoleTraining implements TrainingContext, AutoCloseable {
    private static final int REPORT_EVERY = 100;

    private final Console console;
    private final Interruption interruption;
    private final boolean resume;
    private final String configHash;
    private Optional<Progress> bar = Optional.empty();

    ConsoleTraining(Console console, Interruption interruption, boolean resume, String configHash) {
        this.console = console;
        this.interruption = interruption;
        this.resume = resume;
        this.configHash = configHash;
    }

    @Override
    public DocumentSource training(long corpusSeed) {
        return new TrainingCorpus(corpusSeed).training();
    }

    @Override
    public DocumentSource validation(long corpusSeed) {
        return new TrainingCorpus(corpusSeed).validation();
    }

    @Override
    public PairSource trainingPairs(long corpusSeed) {
        return new TrainingCorpus(corpusSeed).trainingPairs();
    }

    @Override
    public PairSource validationPairs(long corpusSeed) {
        return new TrainingCorpus(corpusSeed).validationPairs();
    }

    @Override
    public Map<String, String> provenance() {
        return Map.of("configHash", configHash, "outrider", BuildInfo.version());
    }

    @Override
    public boolean resume() {
        return resume;
    }

    @Override
    public TrainingProgress progress(int steps) {
        close();
        var shown = new Progress(console, "training", steps);
        bar = Optional.of(shown);
        return step -> report(shown, step);
    }

    @Override
    public BooleanSupplier stop() {
        return interruption::requested;
    }

    @Override
    public LongSupplier ticker() {
        return System::nanoTime;
    }

    private void report(Progress shown, TrainingProgress.Step step) {
        var text =
                String.format(
                        Locale.ROOT,
                        "step %d loss %.3f, %.0f tokens/s",
                        step.step(),
                        step.loss(),
                        step.tokensPerSecond());
        shown.at(step.step(), text);
        if (!console.terminal() && step.step() % REPORT_EVERY == 0) {
            console.err().println(text);
        }
    }

    @Override
    public void close() {
        bar.ifPresent(Progress::close);
        bar = Optional.empty();
    }
}
