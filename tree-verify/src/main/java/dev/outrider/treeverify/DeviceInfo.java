package dev.outrider.treeverify;

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
