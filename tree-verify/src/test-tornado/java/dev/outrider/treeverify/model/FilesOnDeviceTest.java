package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.BlockWeights;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.treeverify.TornadoTargetConfig;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.WeightForms;
import dev.outrider.treeverify.pass.WeightLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that other programs wrote are computed in their formats, as on the processor with rows of 32 bits.
@RequiresDevice
class FilesOnDeviceTest {
    private static final int[] TOKENS = {3, 17, 0, 31, 8, 8, 21, 5, 12};

    /// `-Doutrider.gguf=FOLDER` has files that `llama-quantize` wrote, in formats that differ from matrix to matrix.
    @Test
    void llamaCppsFilesAreComputedAsTheyAre() throws IOException {
        var folder = System.getProperty("outrider.gguf", "");
        Assumptions.assumeFalse(folder.isEmpty(), "outrider.gguf names no folder");
        try (var files = Files.list(Path.of(folder))) {
            var found = files.filter(each -> each.toString().endsWith(".gguf")).sorted().toList();
            assertThat(found).isNotEmpty();
            for (var file : found) {
                System.out.println(file.getFileName() + " " + compare(new Checkpoint(file)));
            }
        }
    }

    /// Eight-bit floats with one scale, with one for a row, and with one for 128 x 128 numbers.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "float8",
                "float8-rows",
                "float8-blocks",
                "float8-static",
                "fp8",
                "fp8-bf16",
                "fp8-static",
                "qwen3_moe-fp8"
            })
    void eightBitFloatsAreComputedAsTheyAre(String form) throws IOException {
        assertThat(compare(quantised(form))).contains("fp8");
    }

    private static Checkpoint quantised(String form) throws IOException {
        var folder = Checkpoints.root().resolve("core/nn/src/test/resources/quantised");
        return new Checkpoint(folder.resolve(form));
    }

    /// No kernel reads groups of integers: their matrices are 32-bit floats. Others of the files have 16 bits.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "awq4-g32",
                "gptq4-g32",
                "gptq8",
                "packed4-g32-bf16",
                "int8",
                "mixtral-awq4-g32",
                "phi3-gptq4-g32"
            })
    void groupsOfIntegersAreComputedAsFloats(String form) throws IOException {
        assertThat(compare(quantised(form))).isEqualTo("f32+f16");
    }

    /// The four-bit floats of experts are levels in five bits.
    @ParameterizedTest
    @ValueSource(strings = {"decoders/gpt_oss-mxfp4", "gguf/models/gpt_oss-mxfp4.gguf"})
    void fourBitFloatsAreComputedAsTheyAre(String file) throws IOException {
        var resources = Checkpoints.root().resolve("core/nn/src/test/resources");

        assertThat(compare(new Checkpoint(resources.resolve(file)))).contains("q5");
    }

    /// Returns the formats on the device.
    private static String compare(Checkpoint checkpoint) throws IOException {
        var model = ModelConfig.read(checkpoint);
        var config = model.decoder().limitedTo(96);
        TornadoTargetConfig.requireForm(checkpoint.path(), config);
        try (var tensors = checkpoint.openTensors()) {
            var read = CheckpointWeights.of(config, tensors, model.quantisation());
            var weights = new BlockWeights(read);
            var shape =
                    new ProgramShape(config, 16, 1, 96, 8, WeightFormat.FILE, 7)
                            .withForms(WeightForms.ofFile(weights));
            try (var device =
                            TornadoCode.network(
                                    shape,
                                    new WeightLoader(shape, weights),
                                    Devices.at(0),
                                    CudaGraphs.AUTO);
                    var processor =
                            new VectorNetwork(
                                    config, weights, read.precision(), RowPrecision.F32)) {
                Agreement.require(device, processor, TOKENS);
            }
            return shape.formats();
        }
    }
}
