package dev.outrider.cli;

import dev.outrider.training.CheckpointMeasure;
import dev.outrider.training.DocumentSource;
import dev.outrider.training.OnPolicyTexts;
import dev.outrider.training.PairSource;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.TrainingProfile;
import dev.outrider.training.TrainingProgress;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// What the command line lends trainers, and shows of them.
final class ConsoleTraining implements TrainingContext, AutoCloseable {
    private static final int REPORT_EVERY = 100;

    private final Console console;
    private final Interruption interruption;
    private final boolean resume;
    private final String configHash;
    private final Function<String, Optional<CheckpointMeasure>> measures;
    private final Function<TrainingConfig.OnPolicy, OnPolicyTexts> policies;
    private Optional<Progress> bar = Optional.empty();
    private Optional<TrainingProfile> profile = Optional.empty();
    private long stored = -1;

    /// @param measures what checkpoints may be compared by, by name
    /// @param policies lets a drafter in training draft
    ConsoleTraining(
            Console console,
            Interruption interruption,
            boolean resume,
            String configHash,
            Function<String, Optional<CheckpointMeasure>> measures,
            Function<TrainingConfig.OnPolicy, OnPolicyTexts> policies) {
        this.console = console;
        this.interruption = interruption;
        this.resume = resume;
        this.configHash = configHash;
        this.measures = measures;
        this.policies = policies;
    }

    @Override
    public Optional<OnPolicyTexts> onPolicy(TrainingConfig.OnPolicy settings) {
        return Optional.of(policies.apply(settings));
    }

    @Override
    public Optional<CheckpointMeasure> measure(String name) {
        return measures.apply(name);
    }

    /// Where the time of the last run went, if it went step by step.
    Optional<TrainingProfile> profile() {
        return profile;
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
        var line = new TrainingLine(System::nanoTime);
        show("training", steps);
        return new TrainingProgress() {
            @Override
            public void storing(long done, long all) {
                ConsoleTraining.this.storing(done, all);
                if (done == all) {
                    show("training", steps);
                }
            }

            @Override
            public void stepDone(Step step) {
                line.at(step);
                report(line, step);
            }

            @Override
            public void ended(TrainingProfile found) {
                profile = Optional.of(found);
            }
        };
    }

    @Override
    public BooleanSupplier stop() {
        return interruption::requested;
    }

    @Override
    public LongSupplier ticker() {
        return System::nanoTime;
    }

    private void show(String task, long steps) {
        close();
        bar = Optional.of(new Progress(console, task, steps));
    }

    private void storing(long done, long all) {
        if (stored < 0) {
            show("storing passes", all);
        }
        bar.ifPresent(shown -> shown.at(done, "rows"));
        long tenth = done * 10 / all;
        if (!console.terminal() && tenth != stored) {
            console.err().println("passes over %d of %d rows are stored".formatted(done, all));
        }
        stored = tenth;
    }

    private void report(TrainingLine line, TrainingProgress.Step step) {
        bar.ifPresent(shown -> shown.at(step.step(), line.beside(step)));
        boolean worthALine = step.step() % REPORT_EVERY == 0 || step.validationLoss().isPresent();
        if (!console.terminal() && worthALine) {
            console.err().println(line.whole(step));
        }
    }

    @Override
    public void close() {
        bar.ifPresent(Progress::close);
        bar = Optional.empty();
    }
}
