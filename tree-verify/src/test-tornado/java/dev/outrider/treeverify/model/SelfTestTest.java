package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.treeverify.DeviceCode;
import dev.outrider.treeverify.DeviceCode.KernelCheck;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.Devices.DeviceFailures;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.sdk.SdkRequirement;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

@RequiresDevice
class SelfTestTest {
    @Test
    void everyStageAgreesWithTheProcessor() {
        var checks = SdkRequirement.ofThisProcess().service(DeviceCode.class).test(0);

        assertThat(checks).hasSize(71).allMatch(KernelCheck::passed);
    }

    @Test
    void aNetworkThatComputesSomethingElseFailsFromTheStageOnWhereItDiffers() {
        var config =
                DecoderConfig.builder()
                        .vocabularySize(31)
                        .hiddenSize(8)
                        .intermediateSize(8)
                        .layers(2)
                        .heads(2)
                        .maxPositions(160)
                        .tiedHead(true);
        var weights = new RandomWeights(config.build(), 1, 1);
        try (var right = new VectorNetwork(config.build(), weights, Precision.F32);
                var wrong =
                        new VectorNetwork(
                                config.normEpsilon(0.2).build(), weights, Precision.F32)) {
            assertThat(PassSelfTest.compare("same", right, right)).allMatch(KernelCheck::passed);
            assertThat(PassSelfTest.compare("other", wrong, right))
                    .extracting(KernelCheck::passed)
                    .containsExactly(true, false, false, false, false);
        }
    }

    /// A kernel whose name is a keyword of OpenCL does not compile. By default TornadoVM would run it in Java.
    @Test
    void aKernelThatDoesNotCompileFailsWithAName() {
        assertThatThrownBy(() -> DeviceFailures.guard("the kernel", SelfTestTest::runBroken))
                .hasMessageStartingWith(
                        "KERNEL_FAILED: the kernel does not run on the device: ")
                .hasMessageContaining("half");
    }

    @Test
    void aKernelThatDisagreesFails() {
        assertThat(new KernelCheck("k", 2e-5, 1e-5, "").passed()).isFalse();
        assertThat(new KernelCheck("k", Double.NaN, 1e-5, "").passed()).isFalse();
        assertThat(new KernelCheck("k", 0, 0, "").passed()).isTrue();
    }

    private static Double runBroken() throws TornadoExecutionPlanException {
        var values = new FloatArray(16);
        values.init(1);
        var graph =
                new TaskGraph("broken")
                        .transferToDevice(DataTransferMode.EVERY_EXECUTION, values)
                        .task("task", SelfTestTest::half, new KernelContext(), values)
                        .transferToHost(DataTransferMode.EVERY_EXECUTION, values);
        try (var plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.withDevice(Devices.at(0).device()).execute();
        }
        return (double) values.get(0);
    }

    static void half(KernelContext context, FloatArray values) {
        int index = context.globalIdx;
        values.set(index, values.get(index) * 0.5f);
    }
}
