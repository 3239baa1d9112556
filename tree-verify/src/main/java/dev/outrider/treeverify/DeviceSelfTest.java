package dev.outrider.treeverify;

import java.util.List;

/// Tests of some kernels on their own: each against its plain-Java twin on a small random input. Several may be
/// provided; `outrider kernels` and `outrider doctor` run them all. Thread-safe.
public interface DeviceSelfTest {
    /// Runs every kernel once. A kernel that does not compile or run is a failed check, not an exception.
    ///
    /// @param device its index
    /// @throws dev.outrider.spi.error.OutriderException `DEVICE_DRIVER_FAILED` or `DEVICE_NOT_FOUND`
    List<KernelCheck> run(int device);
}
