package dev.outrider.treeverify.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.treeverify.DeviceSelfTest.KernelCheck;
import dev.outrider.treeverify.DeviceSelfTest;
import dev.outrider.treeverify.device.Devices.DeviceFailures;
import dev.outrider.treeverify.sdk.SdkRequirement;
import java.util.ArrayList;
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
    void everyKernelAgreesWithItsTwin() {
        var checks = new ArrayList<KernelCheck>();
        SdkRequirement.ofThisProcess()
                .services(DeviceSelfTest.class)
                .forEach(test -> checks.addAll(test.run(0)));

        assertThat(checks).hasSizeGreaterThanOrEqualTo(6).allMatch(KernelCheck::passed);
    }

    /// A kernel whose name is a word of OpenCL does not compile; TornadoVM's own default would run it in Java.
    @Test
    void aKernelThatDoesNotCompileFailsWithAName() {
        var check =
                KernelCheck.of(
                        "broken",
                        0,
                        () -> DeviceFailures.guard("the kernel", SelfTestTest::runBroken));

        assertThat(check.passed()).isFalse();
        assertThat(check.failure())
                .startsWith("the kernel does not run on the device: ")
                .contains("half");
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
