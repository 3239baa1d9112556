package dev.outrider.engine.theory;

/// The inverse of `w exp(w)` below -1.
final class LambertW {
    private LambertW() {}

    /// `W_{-1}(-exp(-a))` for `a >= 1`, found without computing the exponential, which would underflow:
    /// `v = -W` solves `v - ln v = a` with `v >= 1`.
    static double lowerBranchOfMinusExp(double a) {
        if (a <= 1) {
            return -1;
        }
        // Starts above the root, whence Newton's method on a convex function comes down to it.
        double v = a + Math.sqrt(2 * (a - 1)) + 1;
        for (int step = 0; step < 60; step++) {
            double next = v - (v - Math.log(v) - a) * v / (v - 1);
            if (next >= v) {
                break;
            }
            v = next;
        }
        return -v;
    }
}
