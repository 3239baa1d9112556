package dev.outrider.treeverify;

import dev.outrider.common.Ticker;
import dev.outrider.nn.network.BlockNetwork;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.HeadPart;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.target.LoadedDecoder;
import dev.outrider.treeverify.DeviceBenchReport.DeviceBenchRequest;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import java.util.List;
import java.util.function.Consumer;

/// The service of the classes that are compiled with TornadoVM's SDK. Thread-safe.
public interface DeviceCode {
    /// Returns every device that the SDK's drivers show, in TornadoVM's order; index 0 is the default.
    ///
    /// @throws dev.outrider.spi.error.OutriderException `DEVICE_DRIVER_FAILED` or `DEVICE_NOT_FOUND`
    List<DeviceInfo> devices();

    /// Loads a checkpoint onto a device.
    ///
    /// @param guesses rows of guesses of a sequence, beside those of its text; 0 for a target
    /// @return the decoder, whose network the caller closes
    /// @throws dev.outrider.spi.error.OutriderException if files are missing or broken, if the decoder does not fit the
    ///                                            device's memory, or a kernel does not compile
    LoadedDecoder load(TornadoTargetConfig config, int guesses);

    /// Loads a draft layer onto device 0. Sequences are cut to the cache's default length.
    ///
    /// @param name      of the drafter
    /// @param config    with a join, and with both embedding and head
    /// @param precision number format of its matrices
    /// @return the caller closes it
    /// @throws dev.outrider.spi.error.OutriderException `CHECKPOINT_UNSUPPORTED` with what no kernel computes, or as [#load]
    BlockNetwork loadLayer(
            String name,
            DecoderConfig config,
            WeightSource weights,
            WeightFormat precision,
            int block);

    /// Loads a part of a head without decoder layers onto device 0.
    ///
    /// @param name      of the drafter
    /// @param precision number format of its matrices
    /// @return the caller closes it
    /// @throws dev.outrider.spi.error.OutriderException as [#loadLayer]
    HeadPart loadHead(String name, HeadPart.Weights weights, WeightFormat precision);

    /// Runs passes of small random decoders that use every kernel, and compares each stage with the processor's. A
    /// kernel that does not compile or run is a failed check, not an exception.
    ///
    /// @param device its index
    /// @throws dev.outrider.spi.error.OutriderException `DEVICE_DRIVER_FAILED` or `DEVICE_NOT_FOUND`
    List<KernelCheck> test(int device);

    /// Times passes.
    ///
    /// @param progress receives the current step, such as `context 1024, 16 rows`
    /// @param ticker   the clock
    /// @throws dev.outrider.spi.error.OutriderException `OUT_OF_MEMORY` if the shape does not fit the device, or the
    ///                                            device's failure
    DeviceBenchReport bench(DeviceBenchRequest request, Consumer<String> progress, Ticker ticker);

    /// A device, as described by its driver.
    ///
    /// @param index       index in TornadoVM's list, from 0; configurations name devices by it
    /// @param name        the driver's name for it
    /// @param backend     how kernels are compiled for it: `OPENCL`, `PTX` or `CUDA`
    /// @param platform    the driver and its version
    /// @param type        `GPU`, `CPU` or `ACCELERATOR`
    /// @param memoryBytes size of its memory
    /// @param maxArrayBytes the longest array it can hold
    /// @param computeUnits  its multiprocessors or cores
    record DeviceInfo(
            int index,
            String name,
            String backend,
            String platform,
            String type,
            long memoryBytes,
            long maxArrayBytes,
            int computeUnits) {}

    /// A comparison of a device's result with the processor's.
    ///
    /// @param kernel     the kernel, or the stage of a pass
    /// @param difference largest difference between the two
    /// @param tolerance  largest difference that rounding can cause; 0 for results that must be equal
    /// @param failure    the reason why the kernel did not run; empty if it ran
    record KernelCheck(String kernel, double difference, double tolerance, String failure) {
        /// Returns whether the kernel ran and its result is within the tolerance.
        public boolean passed() {
            return failure.isEmpty() && difference <= tolerance;
        }
    }

    /// A decoder on a device that reports the formats of its matrices.
    interface Formatted {
        /// Returns the formats of its matrices, for reports.
        String formats();
    }
}
