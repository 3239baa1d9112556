package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;

/// Where 16-bit numbers of a panel's outputs lie in a vector of pairs: those of the panel's first half in the lower halves of
/// the lanes, those of its second half in the upper ones.
final class PairLayout {
    private PairLayout() {}

    /// Index of an output's number among the vector's 16-bit numbers, on a machine that keeps the lower half first.
    static int place(int output) {
        int lane = output % PANEL;
        return lane % WIDTH * 2 + lane / WIDTH;
    }
}
