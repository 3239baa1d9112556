package dev.outrider.drafter.block;

/// The logistic function, the same on every machine.
final class Sigmoid {
    private Sigmoid() {}

    static float of(double x) {
        return (float) (1 / (1 + StrictMath.exp(-x)));
    }
}
