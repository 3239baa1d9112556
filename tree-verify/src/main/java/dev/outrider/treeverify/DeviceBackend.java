package dev.outrider.treeverify;

import java.util.List;

/// What there is to know about the devices before a model is loaded. Implemented where TornadoVM's SDK was there
/// when Outrider was built. Thread-safe.
public interface DeviceBackend {
    /// Every device the SDK's drivers show, in TornadoVM's order; index 0 is the default.
    ///
    /// @throws dev.outrider.spi.error.OutriderException `DEVICE_DRIVER_FAILED` or `DEVICE_NOT_FOUND`
    List<DeviceInfo> devices();

    /// A device as its driver describes it.
    ///
    /// @param index       place in TornadoVM's list, from 0; configurations name devices by it
    /// @param name        the driver's name for it
    /// @param backend     how kernels are compiled for it: `OPENCL`, `PTX` or `CUDA`
    /// @param platform    the driver and its version
    /// @param type        `GPU`, `CPU` or `ACCELERATOR`
    /// @param memoryBytes its memory
    /// @param maxArrayBytes the longest array it can hold
    /// @param computeUnits  its multiprocessors or cores
    public record DeviceInfo(
            int index,
            String name,
            String backend,
            String platform,
            String type,
            long memoryBytes,
            long maxArrayBytes,
            int computeUnits) {}
}
