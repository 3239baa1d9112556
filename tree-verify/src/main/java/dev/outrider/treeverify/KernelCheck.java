package dev.outrider.treeverify;

import dev.outrider.spi.error.OutriderException;
import java.util.function.DoubleSupplier;

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
