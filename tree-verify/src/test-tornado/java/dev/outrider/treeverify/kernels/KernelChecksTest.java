package dev.outrider.treeverify.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.treeverify.DeviceCode.KernelCheck;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.kernels.RowKernels.Normalisation;
import dev.outrider.treeverify.pass.PassStaging;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.reference.ReferenceKernels.ReferenceRows;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/// Kernels agree with their twins, and a kernel that does not is found.
@RequiresDevice
class KernelChecksTest {
    private static final int SEEDS = 4;

    @Test
    void everyKernelAgreesWithItsTwin() {
        for (int seed = 0; seed < SEEDS; seed++) {
            assertThat(KernelChecks.run(Devices.at(0).device(), seed))
                    .describedAs("seed %d", seed)
                    .hasSize(27)
                    .allMatch(KernelCheck::passed);
        }
    }

    @Test
    void aKernelThatComputesSomethingElseIsFound() {
        var right = norm(1e-5f);
        var wrong = norm(2e-3f);

        assertThat(right.passed()).describedAs("%s", right).isTrue();
        assertThat(wrong.passed()).describedAs("%s", wrong).isFalse();
        assertThat(wrong.failure()).isEmpty();
    }

    @Test
    void aKernelThatDoesNotCompileIsFoundAndNotRunInJava() {
        var trial = trial("text");
        var numbers = trial.result(new float[64]);

        var check =
                trial.check(
                        1,
                        RowKernels.LANES,
                        1e-6,
                        (graph, name) ->
                                graph.task(
                                        name,
                                        KernelChecksTest::notForDevices,
                                        trial.context(),
                                        numbers));

        assertThat(check.passed()).isFalse();
        assertThat(check.failure()).startsWith("kernel 'text' does not run on the device: ");
        assertThat(numbers.toHeapArray()).containsOnly(0f);
    }

    /// Uses what no device has.
    static void notForDevices(KernelContext context, FloatArray numbers) {
        numbers.set(context.globalIdx, Float.parseFloat(Integer.toString(context.globalIdx)) + 1);
    }

    /// The norm kernel beside a twin with its own epsilon.
    private static KernelCheck norm(float twinEpsilon) {
        var trial = trial("rmsNorm");
        int size = 48;
        var staging = new PassStaging(new ProgramShape(config(), 4, 1, 8, 1));
        for (int row = 0; row < 3; row++) {
            staging.add(1, row, 0, row, row + 1, new BitSet(), false);
        }
        var from = trial.numbers(4 * size, 1);
        var weights = trial.numbers(size, 1);
        var to = new float[4 * size];
        var pass = trial.pass(staging);
        var offsets = trial.offsets(0);
        var deviceFrom = trial.input(from);
        var deviceWeights = trial.input(weights);
        var deviceTo = trial.result(to);
        ReferenceRows.rmsNorm(staging.numbers(), from, 0, weights, 0, to, size, twinEpsilon);
        return trial.check(
                4,
                Normalisation.LANES,
                3e-5,
                (graph, name) ->
                        graph.task(
                                name,
                                Normalisation::norm,
                                trial.context(),
                                pass,
                                deviceFrom,
                                0,
                                deviceWeights,
                                0,
                                deviceFrom,
                                LayerOffsets.NONE,
                                deviceTo,
                                0,
                                offsets,
                                size,
                                1e-5f,
                                0));
    }

    private static KernelTrial trial(String name) {
        return new KernelTrial(name, Devices.at(0).device(), new SplittableRandom(1));
    }

    private static DecoderConfig config() {
        return DecoderConfig.builder()
                .vocabularySize(8)
                .hiddenSize(48)
                .intermediateSize(8)
                .layers(1)
                .heads(1)
                .headSize(8)
                .maxPositions(8)
                .tiedHead(true)
                .firstWindowLayer(1)
                .build();
    }
}
