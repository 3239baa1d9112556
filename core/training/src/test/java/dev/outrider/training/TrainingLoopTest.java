package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.training.TrainingConfig.LearningRate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests accumulated gradients, the best parameters, patience, and the measured times.
class TrainingLoopTest {
    private static final DecoderShape SHAPE =
            new DecoderShape(27, 16, 2, 4, 2, 4, 24, 32, 10_000, 1e-5, true, Optional.empty());
    private static final DocumentSource WORDS =
            DocumentSource.ofTexts(() ->
                    Stream.iterate(0, i -> i + 1)
                            .map(i -> List.of("alphabet", "lantern", "zigzagging").get(i % 3)));

    @TempDir Path folder;

    private final AtomicLong clock = new AtomicLong();

    @Test
    void accumulatedBatchesAreOneLargeBatch() throws IOException {
        var large = train("large", config(8, 1, Optional.empty()));
        var parts = train("parts", config(2, 4, Optional.empty()));
        train("small", config(2, 1, Optional.empty()));
        assertThat(parts.tokens()).isEqualTo(large.tokens());
        assertThat(parts.loss()).isCloseTo(large.loss(), within(1e-4));
        assertThat(distance("parts", "large")).isLessThan(1e-4);
        assertThat(distance("small", "large")).isGreaterThan(1e-3);
    }

    @Test
    void theFinishedModelHasTheBestParameters() throws IOException {
        var result = train("run", config(2, 1, best(0)));
        var losses = losses("run");
        double least = losses.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        assertThat(losses).hasSize(10);
        assertThat(result.steps()).isEqualTo(30);
        assertThat(result.validationLoss()).isCloseTo(least, within(1e-5));
        var report = new ObjectMapper().readTree(folder.resolve("run/training.json").toFile());
        assertThat(report.get("bestStep").asInt()).isEqualTo(3 + 3 * losses.indexOf(least));
    }

    @Test
    void patienceEndsARun() throws IOException {
        // At this rate no parameter changes, so the first validation stays the best.
        var result = train("run", config(2, 1, best(2), 1e-30));
        assertThat(losses("run")).hasSize(3).containsOnly(losses("run").getFirst());
        assertThat(result.steps()).as("two validations after the best").isEqualTo(9);
        try (var files = Files.list(folder.resolve("run"))) {
            assertThat(files.map(each -> each.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "config.json",
                            "loss-curve.jsonl",
                            "model.safetensors",
                            "training.json");
        }
    }

    @Test
    void theTimeOfARunIsThatOfItsParts() throws IOException {
        var profiles = new ArrayList<TrainingProfile>();
        var listener =
                new TrainingProgress() {
                    @Override
                    public void stepDone(Step step) {
                        clock.addAndGet(5_000_000_000L);
                    }

                    @Override
                    public void ended(TrainingProfile profile) {
                        profiles.add(profile);
                    }
                };
        new Trainer(clock::incrementAndGet)
                .train(plan("run", config(2, 2, Optional.empty())), listener, () -> false)
                .orElseThrow();
        var profile = profiles.getFirst();
        assertThat(profiles).hasSize(1);
        assertThat(profile.total()).isCloseTo(clock.get() / 1e9, within(1e-3));
        assertThat(profile.seconds())
                .allSatisfy((part, seconds) -> assertThat(seconds).isPositive());
        assertThat(profile.share(TrainingProfile.Part.REST))
                .as("the listener's time")
                .isGreaterThan(0.999);
    }

    private TrainingResult train(String name, TrainingConfig config) throws IOException {
        return new Trainer(clock::incrementAndGet)
                .train(plan(name, config), _ -> {}, () -> false)
                .orElseThrow();
    }

    private List<Double> losses(String name) throws IOException {
        return curve(name).stream()
                .filter(line -> line.has("validationLoss"))
                .map(line -> line.get("validationLoss").asDouble())
                .toList();
    }

    private List<JsonNode> curve(String name) throws IOException {
        var lines = new ArrayList<JsonNode>();
        for (var line : Files.readAllLines(folder.resolve(name).resolve("loss-curve.jsonl"))) {
            lines.add(new ObjectMapper().readTree(line));
        }
        return lines;
    }

    /// Returns the largest difference of two weights.
    private double distance(String one, String other) {
        double distance = 0;
        try (var a = new Checkpoint(folder.resolve(one)).openTensors();
                var b = new Checkpoint(folder.resolve(other)).openTensors()) {
            for (var name : a.names()) {
                var x = a.tensor(name).toFloats();
                var y = b.tensor(name).toFloats();
                for (int i = 0; i < x.length; i++) {
                    distance = Math.max(distance, Math.abs(x[i] - y[i]));
                }
            }
        }
        return distance;
    }

    private static Optional<TrainingConfig.Best> best(int patience) {
        return Optional.of(new TrainingConfig.Best(patience));
    }

    private static TrainingConfig config(
            int rows, int accumulate, Optional<TrainingConfig.Best> best) {
        return config(rows, accumulate, best, 5e-2);
    }

    private static TrainingConfig config(
            int rows, int accumulate, Optional<TrainingConfig.Best> best, double peak) {
        return new TrainingConfig(
                5,
                rows,
                16,
                new LearningRate(peak, 0.5, 3, 30),
                TrainingConfig.Optimizer.standard(),
                TrainingConfig.Precision.FLOAT32,
                1,
                3,
                3,
                10,
                Optional.empty(),
                accumulate,
                best,
                Optional.empty());
    }

    private TrainingPlan plan(String name, TrainingConfig config) {
        return new TrainingPlan(
                SHAPE,
                config,
                new DocumentEncoder(new LetterEncoder(), Optional.empty()),
                WORDS,
                WORDS,
                folder.resolve(name),
                TrainingPlan.Storage.FLOAT32,
                Optional.empty(),
                Map.of(),
                Optional.empty());
    }
}
