package dev.outrider.treeverify;

import dev.outrider.spi.error.OutriderException;
import java.util.List;
import java.util.function.DoubleSupplier;

/// Tests of some kernels on their own: each against its plain-Java twin on a small random input. Several may be
/// provided; `outrider kernels` and `outrider doctor` run them all. Thread-safe.
public interface DeviceSelfTest {
    /// Runs every kernel once. A kernel that does not compile or run is a failed check, not an exception.
    ///
    /// @param device its index
    /// @throws dev.outrider.spi.error.OutriderException `DEVICE_DRIVER_FAILED` or `DEVICE_NOT_FOUND`
    List<KernelCheck> run(int device);

    /// What a kernel and its plain-Java twin said to the same small random input.
    ///
    /// @param kernel     the kernel
    /// @param difference largest difference between them, 0 for results that must be equal
    /// @param tolerance  largest difference that rounding explains
    /// @param failure    why it did not run; empty when it did
    public record KernelCheck(String kernel, double difference, double tolerance, String failure) {
        /// Runs a check.
        ///
        /// @param difference runs kernel and twin and says how far they are apart
        public static KernelCheck of(String kernel, double tolerance, DoubleSupplier difference) {
            try {
                return new KernelCheck(kernel, difference.getAsDouble(), tolerance, "");
            } catch (OutriderException e) {
                return new KernelCheck(kernel, Double.NaN, tolerance, e.problem());
            }
        }

        /// Whether the kernel ran and agreed.
        public boolean passed() {
            return failure.isEmpty() && difference <= tolerance;
        }
    }
}
