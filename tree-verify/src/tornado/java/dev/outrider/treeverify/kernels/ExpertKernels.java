package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.pass.PassStaging.PassLayout;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// Kernels that choose the experts of rows, list rows by expert, and add up the experts' results.
///
/// Only weights of experts that rows chose are read, once for eight rows. A row's results are added in the order of its own
/// choices, so its bits do not depend on the other rows.
///
/// @see "Jiang et al. 2024 (Mixtral), section 2.1"
public final class ExpertKernels {
    /// Work items of a group.
    public static final int LANES = RowKernels.LANES;

    private ExpertKernels() {}

    /// Chooses the experts with the greatest scores, of equal ones that with the lower number; NaN is less than all numbers. Their
    /// factors are the softmax over them, or over all experts. Grid: a group of [#LANES] per row of `maxRows`.
    ///
    /// @param scores     `[n, width]`, first those of the experts
    /// @param choices    [dev.outrider.treeverify.pass.ExpertSizes#choices]; the experts of rows are written
    /// @param factors    `[n, chosen]`
    /// @param normalised 1 if the softmax is over the chosen experts
    @SuppressWarnings("IdentityBinaryExpression") // a number that is not itself is NaN
    public static void choose(
            KernelContext context, IntArray pass, FloatArray scores, IntArray choices,
            FloatArray factors, int width, int experts, int chosen, int normalised, int maxRows) {
        int lane = context.localIdx;
        int row = context.groupIdx;
        int there = 0;
        int terms = 0;
        if (row < pass.get(PassLayout.ROWS)) {
            there = experts;
            terms = normalised * chosen + (1 - normalised) * experts;
        }
        float[] own = context.allocateFloatLocalArray(experts);
        int[] best = context.allocateIntLocalArray(experts);
        for (int expert = lane; expert < there; expert += LANES) {
            own[expert] = scores.get(row * width + expert);
            best[expert] = 0;
        }
        context.localBarrier();
        for (int expert = lane; expert < there; expert += LANES) {
            int before = 0;
            int known = 0;
            if (own[expert] == own[expert]) {
                known = 1;
            }
            // A loop with a constant bound is unrolled, and TornadoVM cannot compile the result.
            for (int other = 0; other < there; other++) {
                if (own[other] > own[expert]) {
                    before++;
                }
                if (own[other] == own[expert]) {
                    if (other < expert) {
                        before++;
                    }
                }
                if (known == 0) {
                    if (own[other] == own[other]) {
                        before++;
                    } else if (other < expert) {
                        before++;
                    }
                }
            }
            best[before] = expert;
        }
        context.localBarrier();
        float greatest = 0f;
        if (there > 0) {
            greatest = own[best[0]];
        }
        float sum = 0f;
        for (int term = 0; term < terms; term++) {
            int expert = term;
            if (normalised == 1) {
                expert = best[term];
            }
            sum += TornadoMath.exp(own[expert] - greatest);
        }
        int list = experts * (1 + 2 * maxRows);
        for (int choice = lane; choice < TornadoMath.min(there, chosen); choice += LANES) {
            choices.set(list + row * chosen + choice, best[choice]);
            float power = TornadoMath.exp(own[best[choice]] - greatest);
            factors.set(row * chosen + choice, power / sum);
        }
    }

    /// Lists for each expert the rows that chose it, in order. Grid: one work item per expert.
    ///
    /// @param choices [dev.outrider.treeverify.pass.ExpertSizes#choices]; the lists are written
    public static void list(
            KernelContext context, IntArray pass, IntArray choices, int experts, int chosen,
            int maxRows) {
        int expert = context.globalIdx;
        int made = expert < experts ? pass.get(PassLayout.ROWS) * chosen : 0;
        int first = experts + expert * maxRows;
        int count = 0;
        for (int choice = 0; choice < made; choice++) {
            if (choices.get(experts * (1 + 2 * maxRows) + choice) == expert) {
                choices.set(first + count, choice / chosen);
                choices.set(first + experts * maxRows + count, choice);
                count++;
            }
        }
        if (expert < experts) {
            choices.set(expert, count);
        }
    }

    /// Adds up a row's results and adds the sum to the residual stream. Grid: one work item per number of `[maxRows, size]`.
    ///
    /// @param made    `[n, chosen, size]`, with their factors
    /// @param shared  `[n, size]`, the shared expert's results; not read without it
    /// @param scores  `[n, width]`; if they are more than `experts`, the sigmoid of the last one is the shared expert's factor
    /// @param stream  rows `[n, size]` from the offset at `streamIndex` on; none if that is negative
    /// @param to      rows `[n, size]` from the offset at `toIndex` on
    /// @param factor  factor of the sum
    public static void addUp(
            KernelContext context, IntArray pass, FloatArray made, FloatArray shared,
            FloatArray scores, int width, int experts, FloatArray stream, int streamIndex,
            FloatArray to, int toIndex, IntArray offsets, int size, int chosen, float factor) {
        int item = context.globalIdx;
        int row = item / size;
        if (row < pass.get(PassLayout.ROWS)) {
            float sum = 0f;
            if (width > experts) {
                float opened = scores.get(row * width + experts);
                sum = shared.get(item) / (1f + TornadoMath.exp(TornadoMath.min(-opened, 80f)));
            }
            int first = row * chosen * size + item - row * size;
            for (int choice = 0; choice < chosen; choice++) {
                sum += made.get(first + choice * size);
            }
            sum = sum * factor;
            if (streamIndex >= 0) {
                sum = stream.get(offsets.get(streamIndex) + item) + sum;
            }
            to.set(offsets.get(toIndex) + item, sum);
        }
    }
}
