package dev.outrider.treeverify.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.gguf.GgufType;
import dev.outrider.treeverify.DeviceCode.KernelCheck;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.kernels.KernelTrial.RandomPass;
import dev.outrider.treeverify.pass.QuantizedLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Kernels of experts agree with their reference implementations, for random experts and passes.
@RequiresDevice
class ExpertChecksTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void everyKernelAgreesWithItsTwin(int seed) {
        int levels = QuantizedLayout.form(GgufType.Q4_0).orElseThrow();
        var random = new RandomPass(Devices.at(0).device(), seed);

        assertThat(ExpertChecks.of(random, seed, seed % 2 == 0 ? Float.SIZE : levels).all())
                .hasSize(6)
                .allMatch(KernelCheck::passed);
    }
}
