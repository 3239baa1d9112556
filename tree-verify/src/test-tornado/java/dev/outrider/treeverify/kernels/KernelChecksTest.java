package dev.outrider.treeverify.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.treeverify.DeviceCode.KernelCheck;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.kernels.RowKernels.Normalisation;
import dev.outrider.treeverify.pass.PassStaging;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.QuantizedLayout;
import dev.outrider.treeverify.reference.ReferenceKernels.ReferenceProjections;
import dev.outrider.treeverify.reference.ReferenceKernels.ReferenceRows;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/// Kernels agree with their reference implementations, and the check finds a kernel that does not agree.
@RequiresDevice
@Tag("quick")
class KernelChecksTest {
    /// Compiling the kernels of a seed takes a minute and a half of a processor.
    private static final int SEEDS = Boolean.getBoolean("outrider.nightly") ? 4 : 1;

    @Test
    void everyKernelAgreesWithItsTwin() {
        for (int seed = 0; seed < SEEDS; seed++) {
            assertThat(KernelChecks.run(Devices.at(0).device(), seed))
                    .describedAs("seed %d", seed)
                    .hasSize(61)
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

    /// The check finds one level that is one too large.
    @ParameterizedTest
    @EnumSource(names = {"Q8_0", "Q4_0", "Q4_K", "Q6_K"})
    void aLevelThatIsDecodedWronglyIsFound(GgufType type) {
        var right = head(type, 0);
        var wrong = head(type, 1);

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

    /// A kernel that uses an operation that no device has.
    static void notForDevices(KernelContext context, FloatArray numbers) {
        numbers.set(context.globalIdx, Float.parseFloat(Integer.toString(context.globalIdx)) + 1);
    }

    /// Compares the head kernel with a reference implementation in which one level is larger.
    private static KernelCheck head(GgufType type, int difference) {
        var trial = trial("head");
        int size = type.block() == 256 ? 256 : 48;
        int form = QuantizedLayout.form(type).orElseThrow();
        int vocabulary = 8;
        var staging = new PassStaging(new ProgramShape(config(), 4, 1, 8, 1));
        staging.add(1, 0, 0, 0, 1, new BitSet(), true);
        var weights = trial.numbers(vocabulary * size, 0.1);
        var from = trial.read(4 * size, 1);
        var logits = trial.written(4 * vocabulary, 1);
        var pass = trial.pass(staging);
        var matrix = trial.matrix(form, weights, vocabulary, size);
        double step = 0.1 / (1 << (QuantizedLayout.bits(form) - 2));
        weights[3 * size + 20] += (float) (difference * step);
        ReferenceProjections.head(
                staging.numbers(), weights, from.plain(), logits.plain(), size, vocabulary, 4);
        return trial.check(
                1,
                Projections.LANES,
                3e-5,
                (graph, name) ->
                        graph.task(
                                name,
                                Projections::head,
                                trial.context(),
                                pass,
                                matrix.floats(from.device()),
                                matrix.packed(pass),
                                matrix.form(),
                                from.device(),
                                logits.device(),
                                size,
                                vocabulary,
                                4,
                                1f,
                                0f));
    }

    /// Compares the norm kernel with a reference implementation that has a given epsilon.
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
                                Normalisation::normalise,
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
