package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.nn.network.Weight;
import dev.outrider.training.DecoderShape.DecoderParameters;
import dev.outrider.training.DecoderShape.MixtureShape;
import dev.outrider.training.RunFolder.LossCurve;
import dev.outrider.training.TrainingConfig.LearningRate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
            var shape =
                    new DecoderShape(
                            50, 16, 3, 4, 2, 8, 24, 32, 10_000, 1e-5, tied, Optional.empty());
            assertThat(Weight.parameters(shape.decoder()))
                    .isEqualTo(DecoderParameters.of(shape).count());
        }
        var mixture = Optional.of(new MixtureShape(6, 2, 20, 0.01));
        var sparse = new DecoderShape(50, 16, 3, 4, 2, 8, 24, 32, 10_000, 1e-5, true, mixture);
        assertThat(Weight.parameters(sparse.decoder()))
                .isEqualTo(DecoderParameters.of(sparse).count());
    }

    @Test
    void partsAndGivenValuesMustFillAParameter() {
        var part = new Parameter.Part("head.weight", 2);
        assertThatThrownBy(() ->
                        new Parameter(
                                new long[] {3, 4},
                                List.of(part),
                                new Parameter.Initial.Constant(0)))
                .hasMessage(
                        "parts [Part[name=head.weight, rows=2]] have 2 rows, shape [3, 4] has 3");
        assertThatThrownBy(() ->
                        Parameter.of("head.bias", new Parameter.Initial.Given(new float[] {1}), 2))
                .hasMessage("1 values for shape [2]");
    }

    @Test
    void initialValuesAreThoseStatedAndDrawnFromTheSeed() {
        var set =
                new ParameterSet(
                        List.of(
                                Parameter.of("norm", new Parameter.Initial.Constant(1), 2),
                                Parameter.of("a", new Parameter.Initial.Normal(0.5), 100, 10),
                                Parameter.of(
                                        "b",
                                        new Parameter.Initial.Given(new float[] {3, 4}),
                                        1,
                                        2)));
        var values = set.initial(7);
        assertThat(values.getFirst()).containsExactly(1, 1);
        assertThat(values.getLast()).containsExactly(3, 4);
        double square = 0;
        for (float value : values.get(1)) {
            square += value * value / 1000;
        }
        assertThat(Math.sqrt(square)).isCloseTo(0.5, within(0.03));
        assertThat(values.get(1)).isEqualTo(set.initial(7).get(1));
        assertThat(values.get(1)).isNotEqualTo(set.initial(8).get(1));
        assertThat(set.count()).isEqualTo(2 + 1000 + 2);
        assertThat(set.list().stream().map(Parameter::decays)).containsExactly(false, true, true);
    }

    @Test
    void inputsAndLabelsAreTheSameRowsOneTokenApart() {
        var rows = new TokenRows(new long[] {1, 2, 3, 4, 5, 6}, 2);
        assertThat(rows.inputs().tokens()).containsExactly(1, 2, 4, 5);
        assertThat(rows.labels().tokens()).containsExactly(2, 3, 5, 6);
        assertThat(rows.columns(1, 2).tokens()).containsExactly(2, 5);
        assertThatThrownBy(() -> new TokenRows(new long[] {1, 2, 3}, 2))
                .hasMessage("3 tokens in 2 rows");
    }
}
