package dev.outrider.treeverify.device;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.treeverify.DeviceCode.DeviceInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import uk.ac.manchester.tornado.api.TornadoRuntime;
import uk.ac.manchester.tornado.api.common.TornadoDevice;
import uk.ac.manchester.tornado.api.exceptions.TornadoBailoutRuntimeException;
import uk.ac.manchester.tornado.api.exceptions.TornadoMemoryException;
import uk.ac.manchester.tornado.api.exceptions.TornadoOutOfMemoryException;
import uk.ac.manchester.tornado.api.runtime.TornadoRuntimeProvider;

/// Finds devices. The first call starts TornadoVM's runtime, which loads drivers. Thread-safe.
public final class Devices {
    private static final String MEMORY_CAP = "tornado.device.memory";

    private Devices() {}

    /// A device and its description.
    ///
    /// @param device TornadoVM's handle, for execution plans
    public record Found(TornadoDevice device, DeviceInfo info) {}

    /// Returns every device of every back end of the SDK, in TornadoVM's order.
    ///
    /// @throws OutriderException `DEVICE_DRIVER_FAILED` if the runtime or a driver does not start,
    ///                           `DEVICE_NOT_FOUND` if there is no device
    public static List<Found> all() {
        var found = new ArrayList<Found>();
        var runtime = runtime();
        for (int backend = 0; backend < runtime.getNumBackends(); backend++) {
            for (var device : runtime.getBackend(backend).getAllDevices()) {
                found.add(new Found(device, describe(found.size(), device)));
            }
        }
        if (found.isEmpty()) {
            throw noDevice(new IllegalStateException("the list of devices is empty"));
        }
        return List.copyOf(found);
    }

    /// Returns the device with an index.
    ///
    /// @throws OutriderException as [#all()], and `DEVICE_NOT_FOUND` if there are fewer
    public static Found at(int index) {
        var all = all();
        if (index >= all.size()) {
            throw new OutriderException(
                    ErrorCode.DEVICE_NOT_FOUND,
                    "there is no device %d, only %d: %s"
                            .formatted(
                                    index,
                                    all.size(),
                                    all.stream().map(each -> each.info().name()).toList()),
                    "Set 'target.device' to one that 'outrider doctor' lists.");
        }
        return all.get(index);
    }

    // Catches Throwable, because a driver jar without its native library fails with an Error in a
    // static initialiser.
    private static TornadoRuntime runtime() {
        // TornadoVM limits a device's memory to 4 GB by default, and reads this property once, at
        // its start. ProgramMemory checks the size with the memory that the driver reports.
        if (System.getProperty(MEMORY_CAP) == null) {
            System.setProperty(MEMORY_CAP, "1024GB");
        }
        try {
            return TornadoRuntimeProvider.getTornadoRuntime();
        } catch (Throwable failure) {
            if (DeviceFailures.root(failure) instanceof TornadoBailoutRuntimeException) {
                throw noDevice(failure);
            }
            throw new OutriderException(
                    ErrorCode.DEVICE_DRIVER_FAILED,
                    "TornadoVM does not start: " + DeviceFailures.rootMessage(failure),
                    "Check that the SDK's back end fits this machine's driver: a -cuda or -ptx SDK needs NVIDIA's driver, an"
                            + " -opencl SDK needs libOpenCL.so.1 and an ICD; see docs/guide/gpu.md.",
                    failure);
        }
    }

    private static OutriderException noDevice(Throwable cause) {
        return new OutriderException(
                ErrorCode.DEVICE_NOT_FOUND,
                "TornadoVM's SDK is there, but its driver shows no device",
                "Install the device's driver: NVIDIA's for a -cuda or -ptx SDK, an OpenCL ICD for an -opencl SDK; see"
                        + " docs/guide/gpu.md.",
                cause);
    }

    private static DeviceInfo describe(int index, TornadoDevice device) {
        var physical = device.getPhysicalDevice();
        return new DeviceInfo(
                index,
                physical.getDeviceName().strip(),
                device.getTornadoVMBackend().name(),
                device.getPlatformName().strip(),
                device.getDeviceType().name(),
                physical.getDeviceGlobalMemorySize(),
                physical.getDeviceMaxAllocationSize(),
                physical.getDeviceMaxComputeUnits());
    }

    /// Converts TornadoVM's exceptions and errors into errors with advice for the user.
    public static final class DeviceFailures {
        private DeviceFailures() {}

        /// Builds or runs a TornadoVM object. TornadoVM throws its own exceptions from several modules, and Errors if a native
        /// library or a module does not fit.
        ///
        /// @param what name of the operation, such as `the verification pass`
        /// @throws OutriderException `KERNEL_FAILED` or `OUT_OF_MEMORY`
        public static <T> T guard(String what, Callable<T> action) {
            try {
                return action.call();
            } catch (VirtualMachineError failure) {
                throw failure;
            } catch (Throwable failure) {
                throw of(what, failure);
            }
        }

        /// Returns the error for a failed operation.
        ///
        /// @param what    name of the operation, such as `the verification pass`
        /// @param failure thrown by TornadoVM; an [OutriderException] among its causes is returned unchanged
        public static OutriderException of(String what, Throwable failure) {
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                if (cause instanceof OutriderException known) {
                    return known;
                }
                if (cause instanceof TornadoOutOfMemoryException
                        || cause instanceof TornadoMemoryException) {
                    return new OutriderException(
                            ErrorCode.OUT_OF_MEMORY,
                            "%s does not fit the device's memory: %s"
                                    .formatted(what, cause.getMessage()),
                            "Choose fewer 'cacheRows' or 'rows', a smaller model or another device.",
                            failure);
                }
            }
            return new OutriderException(
                    ErrorCode.KERNEL_FAILED,
                    "%s does not run on the device: %s".formatted(what, rootMessage(failure)),
                    "Run 'outrider doctor': it tests every stage of a pass. Please report what it says.",
                    failure);
        }

        /// Returns the last of a chain of causes.
        static Throwable root(Throwable failure) {
            Throwable root = failure;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            return root;
        }

        /// Returns the message of the last cause, which names the kernel that did not compile, on one line and without terminal
        /// colours. The stack trace that TornadoVM writes into the message is removed, because the cause contains it.
        static String rootMessage(Throwable failure) {
            var root = root(failure);
            var message = root.getMessage();
            return message == null
                    ? root.getClass().getSimpleName()
                    : message.replaceAll("\u001B\\[[0-9;]*m", "")
                            .replaceAll("(?s)\\s*Stacktrace: *\\[.*", "")
                            .strip()
                            .replaceAll("\\s*\\R\\s*", " ");
        }
    }
}
