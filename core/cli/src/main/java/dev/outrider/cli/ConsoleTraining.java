package dev.outrider.cli;

import dev.outrider.common.Ticker;
import dev.outrider.demo.corpus.CorpusGenerator;
import dev.outrider.demo.corpus.CorpusGenerator.Split;
import dev.outrider.demo.corpus.Document;
import dev.outrider.training.DocumentSource;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.TrainingProfile;
import dev.outrider.training.TrainingProgress;
import dev.outrider.training.data.Document.Completion;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/// Gives trainers the services of the command line, and shows their progress.
final class ConsoleTraining implements TrainingContext, AutoCloseable {
    private static final int REPORT_EVERY = 100;

    private final CommandContext context;
    private final boolean resume;
    private final String configHash;
    private final ConsoleProgress bar;
    private Optional<TrainingProfile> profile = Optional.empty();
    private long stored = -1;

    ConsoleTraining(CommandContext context, boolean resume, String configHash) {
        this.context = context;
        this.resume = resume;
        this.configHash = configHash;
        bar = new ConsoleProgress(context.console(), "training");
    }

    /// Returns the profile of the last run, if the run had steps.
    Optional<TrainingProfile> profile() {
        return profile;
    }

    @Override
    public DocumentSource training(long corpusSeed) {
        return documents(corpusSeed, Split.TRAIN);
    }

    @Override
    public DocumentSource validation(long corpusSeed) {
        return documents(corpusSeed, Split.VALIDATION);
    }

    private static DocumentSource documents(long corpusSeed, Split split) {
        var corpus = new CorpusGenerator(corpusSeed);
        return DocumentSource.ofTexts(() -> corpus.documents(split).map(Document::text));
    }

    @Override
    public DocumentSource trainingPairs(long corpusSeed) {
        return pairs(corpusSeed, Split.TRAIN);
    }

    @Override
    public DocumentSource validationPairs(long corpusSeed) {
        return pairs(corpusSeed, Split.VALIDATION);
    }

    private static DocumentSource pairs(long corpusSeed, Split split) {
        var corpus = new CorpusGenerator(corpusSeed);
        return () ->
                corpus.pairs(split)
                        .map(pair -> new Completion(pair.prompt(), pair.continuation(), true));
    }

    @Override
    public Map<String, String> provenance() {
        return Map.of("configHash", configHash, "outrider", CommandContext.version());
    }

    @Override
    public boolean resume() {
        return resume;
    }

    @Override
    public TrainingProgress progress(int steps) {
        var line = new TrainingLine(System::nanoTime);
        bar.begin("training", steps);
        return new TrainingProgress() {
            @Override
            public void storing(long done, long all) {
                ConsoleTraining.this.storing(done, all);
                if (done == all) {
                    bar.begin("training", steps);
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
        return context.interrupted();
    }

    @Override
    public LongSupplier ticker() {
        return System::nanoTime;
    }

    private void storing(long done, long all) {
        if (stored < 0) {
            bar.begin("storing passes", all);
        }
        bar.at(done, "rows");
        long tenth = done * 10 / all;
        if (!context.console().terminal() && tenth != stored) {
            context.err().println("passes over %d of %d rows are stored".formatted(done, all));
        }
        stored = tenth;
    }

    private void report(TrainingLine line, TrainingProgress.Step step) {
        bar.at(step.step(), line.beside(step));
        boolean worthALine = step.step() % REPORT_EVERY == 0 || step.validationLoss().isPresent();
        if (!context.console().terminal() && worthALine) {
            context.err().println(line.whole(step));
        }
    }

    @Override
    public void close() {
        bar.close();
    }

    /// Shows a run in one line: loss, validation, speed, time left. Confined.
    static final class TrainingLine {
        private final Ticker ticker;
        private final long startNanos;
        private long steps;
        private long seen;
        private OptionalDouble validation = OptionalDouble.empty();

        TrainingLine(Ticker ticker) {
            this.ticker = ticker;
            startNanos = ticker.nanos();
        }

        /// Records a step.
        void at(TrainingProgress.Step step) {
            seen++;
            steps = step.steps() - step.step();
            if (step.validationLoss().isPresent()) {
                validation = step.validationLoss();
            }
        }

        /// Returns the text beside a progress bar, which shows step and time itself.
        String beside(TrainingProgress.Step step) {
            var validated =
                    validation.isPresent()
                            ? Console.format(", validation %.3f", validation.getAsDouble())
                            : "";
            return Console.format(
                    "loss %.3f%s, %.0f tokens/s", step.loss(), validated, step.tokensPerSecond());
        }

        /// Returns the line for a log.
        String whole(TrainingProgress.Step step) {
            var measures =
                    step.measures().entrySet().stream()
                            .map(each ->
                                    Console.format(", %s %.3f", each.getKey(), each.getValue()))
                            .collect(Collectors.joining());
            return "step %d of %d: %s%s, %s left"
                    .formatted(step.step(), step.steps(), beside(step), measures, left());
        }

        /// Returns the time left, if the remaining steps take as long as the finished ones.
        private String left() {
            double perStep = (ticker.nanos() - startNanos) / 1e9 / seen;
            long seconds = Math.round(perStep * steps);
            return "%d:%02d:%02d".formatted(seconds / 3600, seconds / 60 % 60, seconds % 60);
        }
    }
}
