package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.network.BlockWeights;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.pass.LevelFiles;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.WeightForms;
import dev.outrider.treeverify.pass.WeightLoader;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// With matrices of levels a device's results agree with the processor's with the same levels and rows of 32 bits.
@RequiresDevice
class LevelsOnDeviceTest {
    private static final int[] TOKENS = {7, 50, 3, 22, 22, 9, 41, 0, 13, 52, 30};

    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({"Q8_0, true", "Q4_0, false", "Q5_1, false"})
    void aFileIsComputedAsItIs(GgufType type, boolean tied) throws IOException {
        var file = LevelFiles.write(folder.resolve("levels.gguf"), tied, type, type);
        compare(file, LevelFiles.config(tied));
    }

    /// Mixes formats as in llama.cpp's recipes.
    @ParameterizedTest
    @CsvSource({"Q4_0, Q4_0", "Q4_K, Q5_0", "Q6_K, Q8_0"})
    void everyMatrixHasItsOwnFormat(GgufType most, GgufType down) throws IOException {
        var config = LevelFiles.wide(false);
        var file =
                LevelFiles.write(
                        folder.resolve("mixed.gguf"),
                        config,
                        name ->
                                name.equals("output") || name.endsWith("0.attn_v")
                                        ? GgufType.Q6_K
                                        : name.endsWith("ffn_down") ? down : most);
        compare(file, config);
    }

    /// Experts of a layer are one tensor.
    @Test
    void expertsHaveTheirFormatsToo() throws IOException {
        var config = LevelFiles.mixture();
        var file =
                LevelFiles.write(
                        folder.resolve("experts.gguf"),
                        config,
                        name -> name.endsWith("ffn_down_exps") ? GgufType.Q6_K : GgufType.Q4_K);
        compare(file, config);
    }

    private static void compare(Path file, DecoderConfig config) throws IOException {
        try (var tensors = CheckpointTensors.ofGguf(file)) {
            var weights = new BlockWeights(new CheckpointWeights(config, tensors));
            compare(config, weights, WeightFormat.FILE, Precision.F32);
        }
    }

    @ParameterizedTest
    @CsvSource({"INT8, true", "INT8, false", "INT4, true", "INT4, false"})
    void weightsAreRoundedAsOnTheProcessor(WeightFormat format, boolean tied) {
        var config = LevelFiles.config(tied);
        compare(
                config,
                new RandomWeights(config, 6, 1),
                format,
                Precision.valueOf(format.name()));
    }

    /// The tolerance distinguishes the right weights from others: results with weights of 32 bits are outside it.
    @Test
    void otherWeightsAreFound() {
        var config = LevelFiles.config(true);
        var weights = new RandomWeights(config, 6, 1);
        try (var device = device(config, weights, WeightFormat.INT8);
                var processor = new VectorNetwork(config, weights, Precision.F32)) {
            assertThat(Agreement.distance(device, processor, TOKENS))
                    .isGreaterThan(10 * Agreement.TOLERANCE);
        }
    }

    private static void compare(
            DecoderConfig config, WeightSource weights, WeightFormat format, Precision kept) {
        try (var device = device(config, weights, format);
                var processor = new VectorNetwork(config, weights, kept, RowPrecision.F32)) {
            Agreement.require(device, processor, TOKENS);
        }
    }

    private static DecoderNetwork device(
            DecoderConfig config, WeightSource weights, WeightFormat format) {
        var uniform = new ProgramShape(config, 16, 1, 96, 8, format, 7);
        var shape =
                format == WeightFormat.FILE
                        ? uniform.withForms(WeightForms.ofFile(weights))
                        : uniform;
        return TornadoCode.network(
                shape, new WeightLoader(shape, weights), Devices.at(0), CudaGraphs.AUTO);
    }
}
