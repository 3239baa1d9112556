package dev.outrider.training;

import dev.outrider.training.TrainingConfig.LearningRate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A small training run of a decoder, with every kind of file that a run may keep, as a program: after every step it prints the
/// step's number.
final class KilledRun {
    static final int STEPS = 60;

    private KilledRun() {}

    static void main(String[] arguments) throws IOException {
        new Trainer(() -> 0)
                .train(
                        plan(Path.of(arguments[0])),
                        step -> System.out.println(step.step()),
                        () -> false)
                .orElseThrow();
    }

    static TrainingPlan plan(Path folder) {
        var words =
                DocumentSource.ofTexts(() -> Stream.iterate(0, i -> i + 1).map(KilledRun::word));
        return new TrainingPlan(
                new DecoderShape(27, 16, 2, 4, 2, 4, 24, 32, 10_000, 1e-5, true, Optional.empty()),
                new TrainingConfig(
                        5,
                        2,
                        16,
                        new LearningRate(3e-2, 0.1, 3, STEPS),
                        TrainingConfig.Optimizer.standard(),
                        TrainingConfig.Precision.FLOAT32,
                        1,
                        5,
                        3,
                        7,
                        Optional.empty(),
                        2,
                        Optional.of(new TrainingConfig.Best(9)),
                        Optional.empty()),
                new DocumentEncoder(new LetterEncoder(), Optional.empty()),
                words,
                words,
                folder,
                TrainingPlan.Storage.FLOAT32,
                Optional.empty(),
                Map.of(),
                Optional.empty());
    }

    private static String word(int number) {
        return List.of("spring", "summer", "autumn", "winter").get(number * number % 7 % 4);
    }
}
