package dev.outrider.drafter.medusa;

import dev.outrider.nn.network.Precision;
import dev.outrider.training.DocumentEncoder;
import dev.outrider.training.DocumentSource;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.TextEncoder;
import dev.outrider.training.Trainer;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingConfig.LearningRate;
import dev.outrider.training.TrainingJob;
import dev.outrider.training.TrainingPlan;
import dev.outrider.training.TrainingProgress;
import dev.outrider.training.TrainingResult;
import dev.outrider.training.head.HeadLearner;
import dev.outrider.training.head.HeadTraining;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Trains on the target of [Cycle], in a folder of its own.
///
/// @param folder an empty one; heads go into `heads`
public record CycleRun(Path folder) {
    /// Writes the target.
    public CycleRun {
        try {
            Cycle.write(Files.createDirectories(folder.resolve("target")));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static int tokens() {
        return Cycle.TOKENS;
    }

    /// The token `count` places after a token.
    public static int after(int token, int count) {
        return Cycle.after(token, count);
    }

    public Path heads() {
        return folder.resolve("heads");
    }

    public FrozenTargetKeys keys() {
        var config =
                new TrainingConfig(
                        2,
                        4,
                        12,
                        new LearningRate(0.05, 0.2, 2, 60),
                        TrainingConfig.Optimizer.standard(),
                        TrainingConfig.Precision.FLOAT32,
                        1,
                        50,
                        4,
                        100,
                        Optional.empty(),
                        1,
                        Optional.empty(),
                        Optional.empty());
        return new FrozenTargetKeys(
                heads(),
                folder.resolve("target"),
                Precision.F32,
                "end",
                1,
                Optional.empty(),
                TrainingPlan.Storage.FLOAT32,
                config);
    }

    public Optional<TrainingResult> train(HeadTraining settings, TrainingProgress progress)
            throws IOException {
        var job =
                new TrainingJob(
                        settings.keys().training(),
                        new DocumentEncoder(new CycleEncoder(), Optional.empty()),
                        texts(0),
                        texts(5),
                        settings.keys().out(),
                        Map.of());
        try (var learner = HeadLearner.of(settings, job.training())) {
            return new Trainer(() -> 0).train(job, learner, progress, () -> false);
        }
    }

    private static DocumentSource texts(int first) {
        return DocumentSource.ofTexts(
                () -> Stream.iterate(first, start -> start + 1).map(String::valueOf));
    }

    /// A text is given by the number from which it counts.
    private record CycleEncoder() implements TextEncoder {
        @Override
        public int[] encode(String text) {
            int start = Integer.parseInt(text) % Cycle.TOKENS;
            var tokens = new int[20];
            for (int i = 0; i < tokens.length; i++) {
                tokens[i] = Cycle.after(start, i);
            }
            return tokens;
        }

        @Override
        public int vocabularySize() {
            return Cycle.TOKENS;
        }

        @Override
        public int endOfText() {
            return 0;
        }
    }
}
