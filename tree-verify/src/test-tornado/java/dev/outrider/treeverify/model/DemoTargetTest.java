package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.nn.network.CachePrecision;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.target.VectorTargetConfig;
import dev.outrider.nn.target.VectorTargetFactory;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.testkit.SeededCases;
import dev.outrider.treeverify.TornadoTargetConfig;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.TreeVerifyPlugin;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The demo target computes the same scores on the device as on the processor.
@RequiresDevice
class DemoTargetTest {
    private static final double TOLERANCE = 1e-4;
    private static final double HALF_TOLERANCE = 5e-3;

    /// The number of prompts; for example `-Doutrider.prompts=100` for more.
    private static final int PROMPTS = Integer.getInteger("outrider.prompts", 24);

    private static final int TOKENS = 16;
    private static final HiddenState NORMED = new HiddenState.AfterFinalNorm();
    private static final HiddenState MIDDLE = new HiddenState.AfterLayer(3);

    private final Path checkpoint = Checkpoints.root().resolve("models/demo-target");

    @Test
    void greedyIdsAreThoseOfTheProcessor() throws IOException {
        var mapper = new ObjectMapper();
        var prompts = Checkpoints.root().resolve("configs/prompts/held-out.jsonl");
        try (var expected = onTheProcessor();
                var actual = Checkpoints.open(checkpoint);
                var lines = Files.lines(prompts)) {
            var texts = lines.toList();
            for (int index = 0; index < PROMPTS; index++) {
                var line = texts.get(index % texts.size());
                var text = mapper.readTree(line).get("prompt").asText();
                int[] whole = expected.tokenizer().encode(text, false);
                // After the last prompt come the first halves of all prompts, then their first
                // thirds.
                int[] prompt = Arrays.copyOf(whole, whole.length / (1 + index / texts.size()));

                assertThat(Checkpoints.greedy(actual, prompt, TOKENS))
                        .describedAs("%d: %s", index, text)
                        .isEqualTo(Checkpoints.greedy(expected, prompt, TOKENS));
            }
        }
    }

    @Test
    void logitsAndHiddenStatesAreThoseOfTheProcessor() {
        try (var expected = onTheProcessor();
                var actual = Checkpoints.open(checkpoint)) {
            var cases = new SeededCases(expected.description().vocabularySize());
            for (int trial = 0; trial < 3; trial++) {
                compare(
                        expected,
                        actual,
                        cases.tokens(30),
                        cases.tree(24),
                        cases.replay(),
                        TOLERANCE);
            }
        }
    }

    @Test
    void weightsOf16BitsChangeTheScoresByTheirRoundingAlone() {
        try (var expected = onTheProcessor();
                var actual = Checkpoints.open(checkpoint, WeightFormat.F16)) {
            var cases = new SeededCases(expected.description().vocabularySize());
            compare(
                    expected,
                    actual,
                    cases.tokens(30),
                    cases.tree(24),
                    cases.replay(),
                    HALF_TOLERANCE);
        }
    }

    @Test
    void weightsOf8BitsAreThoseOfTheProcessor() {
        try (var expected = onTheProcessor(Precision.INT8);
                var actual = Checkpoints.open(checkpoint, WeightFormat.INT8)) {
            assertThat(actual.description().backend()).endsWith("/int8");
            var cases = new SeededCases(expected.description().vocabularySize());
            compare(expected, actual, cases.tokens(30), cases.tree(24), cases.replay(), TOLERANCE);
            int[] prompt = expected.tokenizer().encode("Once upon a time", false);
            assertThat(Checkpoints.greedy(actual, prompt, TOKENS))
                    .isEqualTo(Checkpoints.greedy(expected, prompt, TOKENS));
        }
    }

    @Test
    void aCacheThatDoesNotFitIsRefusedBeforeAnythingIsAllocated() {
        // A cache row has 768 numbers of 4 bytes for keys and as many for values.
        if (Devices.at(0).info().memoryBytes() < 2_000_000L * 768 * 8) {
            refused(2_000_000, WeightFormat.F32, "OUT_OF_MEMORY: ");
        }
        refused(
                20_000_000,
                WeightFormat.F32,
                "OUT_OF_MEMORY: keys of the cache would be one array of 15360000000 elements");
    }

    private void refused(int cacheRows, WeightFormat precision, String start) {
        var config =
                new TornadoTargetConfig(
                        checkpoint,
                        precision,
                        0,
                        16,
                        Optional.of(cacheRows),
                        Optional.empty(),
                        CudaGraphs.ON,
                        Optional.empty());
        assertThatThrownBy(() -> new TreeVerifyPlugin.TornadoTargetFactory().open(config))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(start);
    }

    private TargetModel onTheProcessor() {
        return onTheProcessor(Precision.F32);
    }

    private TargetModel onTheProcessor(Precision precision) {
        return new VectorTargetFactory()
                .open(
                        new VectorTargetConfig(
                                checkpoint,
                                Optional.of(precision),
                                RowPrecision.F32,
                                CachePrecision.F32,
                                Optional.of(1),
                                Optional.empty(),
                                Optional.empty()));
    }

    private static void compare(
            TargetModel expected,
            TargetModel actual,
            int[] prompt,
            TokenTree tree,
            String replay,
            double tolerance) {
        var request = new SessionRequest(64, Set.of(NORMED, MIDDLE));
        try (var one = expected.open(request);
                var other = actual.open(request);
                var states = one.prefill(prompt);
                var otherStates = other.prefill(prompt);
                var scores = one.score(tree);
                var otherScores = other.score(tree)) {
            for (int token = 0; token < prompt.length; token++) {
                assertClose(
                        otherStates.hidden(MIDDLE, token),
                        states.hidden(MIDDLE, token),
                        replay,
                        tolerance);
            }
            for (int node = 0; node < tree.size(); node++) {
                assertClose(otherScores.logits(node), scores.logits(node), replay, tolerance);
                assertClose(
                        otherScores.hidden(NORMED, node),
                        scores.hidden(NORMED, node),
                        replay,
                        tolerance);
                assertClose(
                        otherScores.hidden(MIDDLE, node),
                        scores.hidden(MIDDLE, node),
                        replay,
                        tolerance);
                if (tolerance == TOLERANCE) {
                    assertThat(otherScores.argmax(node))
                            .describedAs(replay)
                            .isEqualTo(scores.argmax(node));
                }
            }
        }
    }

    private static void assertClose(
            MemorySegment actual, MemorySegment expected, String replay, double tolerance) {
        float[] numbers = expected.toArray(ValueLayout.JAVA_FLOAT);
        double length = 0;
        double difference = 0;
        for (int index = 0; index < numbers.length; index++) {
            length += Math.pow(numbers[index], 2);
            difference +=
                    Math.pow(actual.getAtIndex(ValueLayout.JAVA_FLOAT, index) - numbers[index], 2);
        }
        assertThat(Math.sqrt(difference / length))
                .describedAs(replay)
                .isLessThanOrEqualTo(tolerance);
    }
}
