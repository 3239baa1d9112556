package dev.outrider.treeverify;

/// What a kernel and its plain-Java twin said to the same small random input.
///
/// @param kernel     the kernel
/// @param difference largest absolute difference, 0 for results that must be equal
/// @param tolerance  largest difference that rounding explains
/// @param failure    why it did not run; empty when it did
public record KernelCheck(String kernel, double difference, double tolerance, String failure) {
    /// Whether the kernel ran and agreed.
    public boolean passed() {
        return failure.isEmpty() && difference <= tolerance;
    }
}
