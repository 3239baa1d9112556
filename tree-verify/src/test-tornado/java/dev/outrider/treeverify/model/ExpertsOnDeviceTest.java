package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.pass.DeviceNetwork;
import dev.outrider.treeverify.pass.GraphParts;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.RandomDecoders;
import dev.outrider.treeverify.pass.WeightLoader;
import java.io.IOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Decoders with experts agree with the processor, in several formats of their matrices.
@RequiresDevice
class ExpertsOnDeviceTest {
    private static final int[] TOKENS = {7, 30, 3, 22, 22, 9, 11, 0, 13, 2, 30};

    /// The last number is the maximum layers of a graph. With one layer, graphs without experts are among those with experts.
    @ParameterizedTest
    @CsvSource({
        "F32, 0, 9",
        "F32, 0, 1",
        "INT8, 1, 9",
        "INT4, 2, 9",
        "F32, 3, 1",
        "F32, 4, 1",
        "INT8, 5, 9"
    })
    void randomExpertsAgree(WeightFormat format, int seed, int layers) {
        var config = RandomDecoders.experts(new SplittableRandom(seed));
        var weights = new RandomWeights(config, seed, 2);

        compare(config, weights, format, layers);
    }

    @Test
    void aTrainedMixtureAgrees() throws IOException {
        var directory = new Checkpoint(Checkpoints.root().resolve("models/demo-moe-target"));
        var config = ModelConfig.read(directory).decoder().limitedTo(96);
        try (var tensors = directory.openTensors()) {
            compare(config, new CheckpointWeights(config, tensors), WeightFormat.F32, 9);
        }
    }

    private static void compare(
            DecoderConfig config, WeightSource weights, WeightFormat format, int layers) {
        assertThat(config.form().feedForward().experts()).isPresent();
        var shape = new ProgramShape(config, 16, 1, 96, 8, format, 7);
        assertThat(GraphParts.of(shape, layers)).hasSize(layers == 1 ? config.layers() : 1);
        var program =
                new TornadoProgram(
                        shape,
                        new WeightLoader(shape, weights),
                        Devices.at(0).device(),
                        layers,
                        false);
        try (var device = new DeviceNetwork(shape, program);
                var processor =
                        new VectorNetwork(
                                config,
                                weights,
                                Precision.valueOf(format.name()),
                                RowPrecision.F32)) {
            Agreement.require(device, processor, TOKENS);
        }
    }
}
