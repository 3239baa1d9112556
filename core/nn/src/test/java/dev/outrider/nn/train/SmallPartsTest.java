package dev.outrider.nn.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

class SmallPartsTest {
    @Test
    void theLearningRateWarmsUpThenFollowsACosine() {
        var rate = new LearningRate(0.1, 0.2, 10, 110);
        assertThat(rate.at(1)).isCloseTo(0.01, within(1e-12));
        assertThat(rate.at(10)).isCloseTo(0.1, within(1e-12));
        assertThat(rate.at(60)).isCloseTo(0.06, within(1e-12));
        assertThat(rate.at(110)).isCloseTo(0.02, within(1e-12));
    }

    @Test
    void aWarmUpAsLongAsTheRunIsRefused() {
        assertThatThrownBy(() -> new LearningRate(0.1, 0, 5, 5))
                .hasMessage("steps (5) must exceed warmupSteps (5), which may not be negative");
    }

    @Test
    void aRowStartsADocumentAndDropsWhatDoesNotFit() {
        DocumentSource source = () -> Stream.of("abc", "de", "xyz");
        try (var packer = new RowPacker(source, new LetterEncoder(), 6, 0)) {
            assertThat(packer.rows(2).tokens())
                    .containsExactly(1, 2, 3, 0, 4, 5, 24, 25, 26, 0, 1, 2);
            assertThat(packer.consumed()).isEqualTo(4);
        }
        try (var packer = new RowPacker(source, new LetterEncoder(), 6, 2)) {
            assertThat(packer.rows(1).tokens()).containsExactly(24, 25, 26, 0, 1, 2);
        }
    }

    @Test
    void anEmptySourceIsRefused() {
        try (var packer = new RowPacker(Stream::of, new LetterEncoder(), 6, 0)) {
            assertThatThrownBy(() -> packer.rows(1)).hasMessage("the document source is empty");
        }
    }

    @Test
    void aLossCurveForgetsWhatCameAfterTheCheckpointAndALineCutShort(@TempDir Path folder)
            throws IOException {
        var file = folder.resolve("loss-curve.jsonl");
        var curve = LossCurve.open(file, 0);
        for (int step = 1; step <= 3; step++) {
            curve.append(
                    new TrainingProgress.Step(
                            step,
                            9,
                            step * 5L,
                            2.5,
                            0.1,
                            1,
                            OptionalDouble.empty(),
                            Map.of(),
                            100));
        }
        Files.writeString(file, Files.readString(file) + "{\"step\":4,\"lo");
        LossCurve.open(file, 2);
        assertThat(Files.readAllLines(file))
                .containsExactly(
                        "{\"step\":1,\"tokens\":5,\"loss\":2.5,\"lr\":0.1,\"tokensPerSecond\":100}",
                        "{\"step\":2,\"tokens\":10,\"loss\":2.5,\"lr\":0.1,\"tokensPerSecond\":100}");
    }

    @Test
    void parametersAreCountedAsTheyAreStored() {
        for (boolean tied : new boolean[] {true, false}) {
            var shape = new DecoderShape(50, 16, 3, 4, 2, 8, 24, 32, 10_000, 1e-5, tied);
            assertThat(shape.parameters()).isEqualTo(DecoderParameters.of(shape).count());
        }
    }
}
