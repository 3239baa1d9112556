package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.pass.PassStaging.PassLayout;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// Kernels of a draft layer's input, which is an embedding and a feature, and of heads. Grid: one work item per number of `[maxRows, size]`.
///
/// @see "Li et al. 2024 (EAGLE), section 4.1; Li et al. 2025 (EAGLE-3), section 3.1"
public final class FeatureKernels {
    private FeatureKernels() {}

    /// Chooses the features of rows: those that were reduced, or those that the draft layer made itself.
    ///
    /// @param pass     [PassLayout]
    /// @param captured one number: how many rows were reduced
    /// @param features `[n, size]` if no row was reduced
    /// @param reduced  `[n, size]`
    /// @param to       `[n, size]`
    public static void choose(
            KernelContext context,
            IntArray pass,
            IntArray captured,
            FloatArray features,
            FloatArray reduced,
            FloatArray to,
            int size) {
        int item = context.globalIdx;
        int row = item / size;
        if (row < pass.get(PassLayout.ROWS)) {
            float number = features.get(item);
            if (row < captured.get(PassLayout.ROWS)) {
                number = reduced.get(item);
            }
            to.set(item, number);
        }
    }

    /// Copies rows, where a draft layer has no norm before its head.
    ///
    /// @param from  `[n, size]` from index `first` on
    /// @param to    `[n, size]`
    public static void copyRows(
            KernelContext context,
            IntArray pass,
            FloatArray from,
            int first,
            FloatArray to,
            int size) {
        int item = context.globalIdx;
        if (item / size < pass.get(PassLayout.ROWS)) {
            to.set(item, from.get(first + item));
        }
    }

    /// Adds rows to other rows, all `[n, size]`.
    public static void addRows(
            KernelContext context,
            IntArray pass,
            FloatArray from,
            FloatArray added,
            FloatArray to,
            int size) {
        int item = context.globalIdx;
        if (item / size < pass.get(PassLayout.ROWS)) {
            to.set(item, from.get(item) + added.get(item));
        }
    }

    /// Puts the halves of rows beside each other.
    ///
    /// @param pass   [PassLayout]
    /// @param first  `[n, size]`
    /// @param second `[n, size]`
    /// @param to     `[n, 2 * size]`
    /// @param masked 1 if the half in `first` is zero in the row at position 0, 2 if that in `second`
    public static void joinHalves(
            KernelContext context,
            IntArray pass,
            FloatArray first,
            FloatArray second,
            FloatArray to,
            int size,
            int masked,
            int maxRows) {
        int item = context.globalIdx;
        int row = item / size;
        int column = item - row * size;
        if (row < pass.get(PassLayout.ROWS)) {
            int position = pass.get(PassLayout.HEAD + PassLayout.POSITION * maxRows + row);
            int half = position == 0 ? masked : 0;
            to.set(2 * row * size + column, half == 1 ? 0f : first.get(item));
            to.set((2 * row + 1) * size + column, half == 2 ? 0f : second.get(item));
        }
    }
}
