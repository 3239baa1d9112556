package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.DeviceSelfTest;
import dev.outrider.treeverify.KernelCheck;
import dev.outrider.treeverify.device.Devices;
import java.util.List;

/// The kernels of a decoder's pass on small random input. Thread-safe.
public final class PassSelfTest implements DeviceSelfTest {
    private static final long SEED = 20;

    @Override
    public List<KernelCheck> run(int device) {
        return KernelChecks.run(Devices.at(device).device(), SEED);
    }
}
