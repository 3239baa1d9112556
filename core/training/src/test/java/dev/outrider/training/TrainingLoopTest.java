package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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

/// Accumulated gradients, the best parameters, patience, and where the time goes.
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
        var result = train("run", config(2, 1, best(TrainingConfig.Best.VALIDATION_LOSS, 0)));
        var losses =
                curve("run").stream()
                        .filter(line -> line.has("validationLoss"))
                        .map(line -> line.get("validationLoss").asDouble())
                        .toList();
        double least = losses.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        assertThat(losses).hasSize(10);
        assertThat(result.steps()).isEqualTo(30);
        assertThat(result.validationLoss()).isCloseTo(least, within(1e-5));
        var report = new ObjectMapper().readTree(folder.resolve("run/training.json").toFile());
        assertThat(report.get("bestStep").asInt()).isEqualTo(3 + 3 * losses.indexOf(least));
    }

    @Test
    void patienceEndsARunAndAnyMeasureMayChoose() throws IOException {
        var measure = new Scripted(true, 1, 5, 2, 4, 9);
        var result = train("run", config(2, 1, best("scripted", 2)), measure);
        assertThat(result.steps()).as("two validations after the best").isEqualTo(12);
        assertThat(result.measures()).containsEntry("scripted", 5.0);
        assertThat(folder.resolve("run/model.safetensors")).hasBinaryContent(measure.models.get(1));
        assertThat(measure.models.get(1)).isNotEqualTo(measure.models.get(3));
        assertThat(curve("run").getLast().get("scripted").asDouble()).isEqualTo(4);
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
    void aMeasureMayBeBetterForBeingLess() throws IOException {
        var measure = new Scripted(false, 7, 3, 4);
        var result = train("run", config(2, 1, best("scripted", 1)), measure);
        assertThat(result.steps()).isEqualTo(9);
        assertThat(result.measures()).containsEntry("scripted", 3.0);
    }

    @Test
    void aMeasureThatNobodyHasIsRefusedBeforeTheFirstStep() {
        assertThatThrownBy(() -> train("run", config(2, 1, best("beauty", 0))))
                .hasMessage(
                        """
                        CONFIG_INVALID: 'training.best.measure' is 'beauty', which this trainer does not have
                          Use 'validation-loss', or leave the key out.\
                        """);
        assertThat(folder.resolve("run")).doesNotExist();
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
        new Trainer(clock::incrementAndGet, _ -> Optional.empty())
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

    /// Values in turn, with the models that it was shown.
    private static final class Scripted implements CheckpointMeasure {
        private final boolean higher;
        private final double[] values;
        private final List<byte[]> models = new ArrayList<>();

        Scripted(boolean higher, double... values) {
            this.higher = higher;
            this.values = values;
        }

        @Override
        public String name() {
            return "scripted";
        }

        @Override
        public boolean higherIsBetter() {
            return higher;
        }

        @Override
        public double of(Path model) throws IOException {
            models.add(Files.readAllBytes(model.resolve("model.safetensors")));
            return values[models.size() - 1];
        }
    }

    private TrainingResult train(String name, TrainingConfig config) throws IOException {
        return new Trainer(clock::incrementAndGet, _ -> Optional.empty())
                .train(plan(name, config), _ -> {}, () -> false)
                .orElseThrow();
    }

    private TrainingResult train(String name, TrainingConfig config, CheckpointMeasure measure)
            throws IOException {
        return new Trainer(
                        clock::incrementAndGet,
                        wanted -> Optional.of(measure).filter(it -> it.name().equals(wanted)))
                .train(plan(name, config), _ -> {}, () -> false)
                .orElseThrow();
    }

    private List<JsonNode> curve(String name) throws IOException {
        var lines = new ArrayList<JsonNode>();
        for (var line : Files.readAllLines(folder.resolve(name).resolve("loss-curve.jsonl"))) {
            lines.add(new ObjectMapper().readTree(line));
        }
        return lines;
    }

    /// The largest difference of two weights.
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

    private static Optional<TrainingConfig.Best> best(String measure, int patience) {
        return Optional.of(new TrainingConfig.Best(measure, patience));
    }

    private static TrainingConfig config(
            int rows, int accumulate, Optional<TrainingConfig.Best> best) {
        return new TrainingConfig(
                5,
                rows,
                16,
                new LearningRate(5e-2, 0.5, 3, 30),
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
                Optional.empty(),
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
