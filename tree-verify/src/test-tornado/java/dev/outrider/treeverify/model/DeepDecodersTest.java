package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.pass.GraphParts;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.RandomDecoders;
import dev.outrider.treeverify.pass.WeightLoader;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Decoders with more layers than fit one TornadoVM graph.
@RequiresDevice
class DeepDecodersTest {
    private static final double TOLERANCE = 1e-4;

    @Test
    void aSecondGraphGoesOnWhereTheFirstStops() {
        scoreAsTheReferenceDoes(22, false, 16, 2);
    }

    /// Compiles about a thousand kernels, which takes minutes: `-Doutrider.deep=true` runs it. The first four cases fill one
    /// graph; with chunks of two keys every layer has a reduction.
    @ParameterizedTest
    @EnabledIfSystemProperty(named = "outrider.deep", matches = "true")
    @CsvSource({
        "13, false, 16, 1",
        "12, true, 16, 1",
        "12, false, 2, 1",
        "10, true, 2, 1",
        "48, true, 16, 4",
        "80, false, 2, 7",
    })
    void scoreAsTheReferenceDoes(int layers, boolean headNorms, int keyChunk, int graphs) {
        var config = config(layers, headNorms);
        var shape = new ProgramShape(config, 4, 1, 16, 4).withKeyChunk(keyChunk);
        assertThat(GraphParts.of(shape, GraphParts.NO_LIMIT)).hasSize(graphs);
        var weights = new RandomWeights(config, 3, 1.0);
        try (var network =
                        TornadoCode.network(
                                shape,
                                new WeightLoader(shape, weights),
                                Devices.at(0),
                                CudaGraphs.AUTO);
                var reference = new VectorNetwork(config, weights, Precision.F32)) {
            float[][] actual = logits(network);
            float[][] expected = logits(reference);
            for (int row = 0; row < expected.length; row++) {
                assertThat(distance(actual[row], expected[row])).isLessThan(TOLERANCE);
            }
        }
    }

    /// Returns logits after two passes, so that every graph runs after another one.
    private static float[][] logits(DecoderNetwork network) {
        try (var cache = network.newCache(12)) {
            network.forward(List.of(RowBlock.continuing(cache, 1, 2, 3)), PassOutputs.allLogits())
                    .close();
            cache.keep(List.of(0, 1, 2));
            try (var pass =
                    network.forward(
                            List.of(RowBlock.continuing(cache, 4, 5)), PassOutputs.allLogits())) {
                return new float[][] {
                    pass.logits(0).toArray(ValueLayout.JAVA_FLOAT),
                    pass.logits(1).toArray(ValueLayout.JAVA_FLOAT)
                };
            }
        }
    }

    private static double distance(float[] actual, float[] expected) {
        double length = 0;
        double difference = 0;
        for (int index = 0; index < expected.length; index++) {
            length += Math.pow(expected[index], 2);
            difference += Math.pow(actual[index] - expected[index], 2);
        }
        return Math.sqrt(difference / length);
    }

    private static DecoderConfig config(int layers, boolean headNorms) {
        return DecoderConfig.builder()
                .vocabularySize(RandomDecoders.VOCABULARY)
                .hiddenSize(16)
                .intermediateSize(24)
                .layers(layers)
                .heads(2)
                .keyValueHeads(1)
                .maxPositions(16)
                .tiedHead(headNorms)
                .queryKeyNorm(headNorms)
                .firstWindowLayer(layers)
                .build();
    }
}
