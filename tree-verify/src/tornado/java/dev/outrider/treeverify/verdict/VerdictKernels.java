package dev.outrider.treeverify.verdict;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// Kernels that turn logits into a verdict. [PlainVerdicts] has the same in plain loops.
///
/// One work group of [#LANES] items has one row, unless a kernel says otherwise; rows behind the count of this pass
/// are skipped. Sums over the vocabulary are sums of the lanes' sums, so their rounding stays at a few units in the
/// last place. What is written as sequential loops with guards, and not as branches with loops in them, is so because
/// TornadoVM's compilers merge such branches wrongly.
///
/// Shapes: logits `[rows, V]`; largest, sums, argmax, drawn, removed, uniforms `[rows]`; q `[rows, V]` or one element.
/// `round`: see [Round].
final class VerdictKernels {
    /// Items of a work group.
    static final int LANES = PlainVerdicts.LANES;

    /// Below every logit: infinities do not survive OpenCL's relaxed arithmetic.
    private static final float LEAST = -3e38f;

    private VerdictKernels() {}

    /// Places in the array of integers that changes with every round.
    static final class Round {
        /// Rows of this pass.
        static final int ROWS = 0;

        /// 1 if tokens are drawn, 0 if the argmax is taken.
        static final int DRAWS = 1;

        /// 1 if q is known.
        static final int SAMPLED = 2;

        /// 1 if the draft is a chain that is tested token by token.
        static final int CHAIN = 3;

        static final int LENGTH = 4;

        private Round() {}
    }

    /// Largest logit, sum of exponentials and argmax of each row.
    static void statistics(
            KernelContext context,
            IntArray round,
            FloatArray policy,
            FloatArray logits,
            FloatArray largest,
            FloatArray sums,
            IntArray argmax,
            int vocabulary) {
        int row = context.groupIdx;
        int lane = context.localIdx;
        int rows = round.get(Round.ROWS);
        int count = row < rows ? vocabulary : 0;
        int start = row * vocabulary;
        float scale = policy.get(0);
        float[] values = context.allocateFloatLocalArray(LANES);
        int[] tokens = context.allocateIntLocalArray(LANES);
        float best = LEAST;
        int at = vocabulary;
        for (int token = lane; token < count; token += LANES) {
            float value = logits.get(start + token);
            if (value > best) {
                best = value;
                at = token;
            }
        }
        values[lane] = best;
        tokens[lane] = at;
        for (int stride = LANES / 2; stride > 0; stride /= 2) {
            context.localBarrier();
            if (lane < stride) {
                float other = values[lane + stride];
                int otherToken = tokens[lane + stride];
                float own = values[lane];
                if (other > own || (other == own && otherToken < tokens[lane])) {
                    values[lane] = other;
                    tokens[lane] = otherToken;
                }
            }
        }
        context.localBarrier();
        float top = values[0];
        int topToken = tokens[0];
        context.localBarrier();
        float sum = 0f;
        for (int token = lane; token < count; token += LANES) {
            sum += TornadoMath.exp((logits.get(start + token) - top) * scale);
        }
        values[lane] = sum;
        for (int stride = LANES / 2; stride > 0; stride /= 2) {
            context.localBarrier();
            if (lane < stride) {
                values[lane] += values[lane + stride];
            }
        }
        if (lane == 0) {
            if (row < rows) {
                largest.set(row, top);
                sums.set(row, values[0]);
                argmax.set(row, topToken);
            }
        }
    }

    /// A token for each row: from the target's law, or from what a rejection leaves of it.
    static void draw(
            KernelContext context,
            IntArray round,
            FloatArray policy,
            FloatArray logits,
            FloatArray largest,
            FloatArray sums,
            IntArray removed,
            FloatArray uniforms,
            FloatArray q,
            IntArray drawn,
            int vocabulary) {
        int row = context.groupIdx;
        int lane = context.localIdx;
        int rows = round.get(Round.ROWS);
        int count = row < rows ? vocabulary * round.get(Round.DRAWS) : 0;
        int start = row * vocabulary;
        float scale = policy.get(0);
        float top = largest.get(row);
        float sum = sums.get(row);
        int gone = removed.get(row);
        int minus = row + 1 < rows ? round.get(Round.SAMPLED) : 0;
        float[] remainders = context.allocateFloatLocalArray(LANES);
        float[] wholes = context.allocateFloatLocalArray(LANES);
        int part = (vocabulary + LANES - 1) / LANES;
        int end = TornadoMath.min((lane + 1) * part, count);
        float remainder = 0f;
        float whole = 0f;
        for (int token = lane * part; token < end; token++) {
            float p = TornadoMath.exp((logits.get(start + token) - top) * scale) / sum;
            float left = p;
            if (minus == 1) {
                left = TornadoMath.max(p - q.get(start + token), 0f);
            }
            if (token == gone) {
                left = 0f;
            }
            remainder += left;
            whole += p;
        }
        remainders[lane] = remainder;
        wholes[lane] = whole;
        context.localBarrier();
        if (lane == 0) {
            float left = 0f;
            float all = 0f;
            for (int other = 0; other < LANES; other++) {
                left += remainders[other];
                all += wholes[other];
            }
            // Where rounding leaves nothing, the whole law stays.
            int useWhole = left > 0f ? 0 : 1;
            float rest = uniforms.get(row) * (useWhole == 1 ? all : left);
            int at = 0;
            int searching = 1;
            for (int other = 0; other < LANES - 1; other++) {
                float inPart = useWhole == 1 ? wholes[other] : remainders[other];
                if (searching == 1) {
                    if (rest >= inPart) {
                        rest -= inPart;
                        at = other + 1;
                    } else {
                        searching = 0;
                    }
                }
            }
            int found = -1;
            int token = at * part;
            while (found < 0 && token < count) {
                float weight = TornadoMath.exp((logits.get(start + token) - top) * scale) / sum;
                if (useWhole == 0) {
                    if (minus == 1) {
                        weight = TornadoMath.max(weight - q.get(start + token), 0f);
                    }
                    if (token == gone) {
                        weight = 0f;
                    }
                }
                rest -= weight;
                if (weight > 0f && rest < 0f) {
                    found = token;
                }
                token++;
            }
            // Rounding can leave a little to go at the end; the last token with any weight is meant
            // then.
            int back = count - 1;
            while (found < 0 && back >= 0) {
                float weight = TornadoMath.exp((logits.get(start + back) - top) * scale) / sum;
                if (useWhole == 0) {
                    if (minus == 1) {
                        weight = TornadoMath.max(weight - q.get(start + back), 0f);
                    }
                    if (back == gone) {
                        weight = 0f;
                    }
                }
                if (weight > 0f) {
                    found = back;
                }
                back--;
            }
            if (row < rows) {
                drawn.set(row, TornadoMath.max(found, 0));
            }
        }
    }

    /// Whether the token that follows each row of a chain is accepted. One work item has one row.
    static void test(
            KernelContext context,
            IntArray round,
            FloatArray policy,
            FloatArray logits,
            FloatArray largest,
            FloatArray sums,
            IntArray tokens,
            FloatArray uniforms,
            FloatArray q,
            IntArray accepted,
            int vocabulary) {
        int row = context.globalIdx;
        int tested = (round.get(Round.ROWS) - 1) * round.get(Round.CHAIN);
        if (row < tested) {
            int place = row * vocabulary + tokens.get(row + 1);
            float p =
                    TornadoMath.exp((logits.get(place) - largest.get(row)) * policy.get(0))
                            / sums.get(row);
            float drafted = 1f;
            if (round.get(Round.SAMPLED) == 1) {
                drafted = q.get(place);
            }
            int passed = 0;
            if (drafted > 0f && uniforms.get(row) * drafted < p) {
                passed = 1;
            }
            accepted.set(row, passed);
        }
    }

    /// The accepted path, in topological order of the nodes. One work item does it all: it reads a few dozen numbers.
    static void walk(
            KernelContext context,
            IntArray round,
            IntArray tokens,
            IntArray parents,
            IntArray candidate,
            IntArray accepted,
            IntArray argmax,
            IntArray drawn,
            IntArray answer) {
        if (context.globalIdx == 0) {
            int rows = round.get(Round.ROWS);
            int draws = round.get(Round.DRAWS);
            int chain = round.get(Round.CHAIN);
            int node = 0;
            int length = 0;
            int corrected = 0;
            for (int other = 1; other < rows; other++) {
                if (parents.get(other) == node && candidate.get(other) == 1) {
                    int choice = argmax.get(node);
                    if (draws == 1) {
                        choice = drawn.get(node);
                    }
                    int match = 0;
                    if (chain == 1) {
                        match = accepted.get(node);
                    } else {
                        if (tokens.get(other) == choice) {
                            match = 1;
                        }
                    }
                    corrected = 1 - match;
                    if (match == 1) {
                        answer.set(VerdictRequest.PATH + length, other);
                        length++;
                        node = other;
                    }
                }
            }
            int next = argmax.get(node);
            if (draws == 1) {
                next = drawn.get(node);
            }
            answer.set(VerdictRequest.LENGTH, length);
            answer.set(VerdictRequest.NEXT, next);
            answer.set(VerdictRequest.CORRECTED, corrected);
        }
    }

    /// The best tokens of each row, best first, the lowest id first among equals; shape `[rows, count]`. Each rank
    /// is one pass over the row, which stays in the cache; for the few ranks a draft tree has.
    static void topTokens(
            KernelContext context,
            IntArray round,
            FloatArray logits,
            IntArray best,
            FloatArray bestLogits,
            int vocabulary,
            int count) {
        int row = context.groupIdx;
        int lane = context.localIdx;
        int rows = round.get(Round.ROWS);
        int width = row < rows ? vocabulary : 0;
        int start = row * vocabulary;
        float[] values = context.allocateFloatLocalArray(LANES);
        int[] tokens = context.allocateIntLocalArray(LANES);
        float limit = -LEAST;
        int limitToken = -1;
        for (int rank = 0; rank < count; rank++) {
            float most = LEAST;
            int at = vocabulary;
            for (int token = lane; token < width; token += LANES) {
                float value = logits.get(start + token);
                if (value < limit || (value == limit && token > limitToken)) {
                    if (value > most) {
                        most = value;
                        at = token;
                    }
                }
            }
            values[lane] = most;
            tokens[lane] = at;
            for (int stride = LANES / 2; stride > 0; stride /= 2) {
                context.localBarrier();
                if (lane < stride) {
                    float other = values[lane + stride];
                    int otherToken = tokens[lane + stride];
                    float own = values[lane];
                    if (other > own || (other == own && otherToken < tokens[lane])) {
                        values[lane] = other;
                        tokens[lane] = otherToken;
                    }
                }
            }
            context.localBarrier();
            limit = values[0];
            limitToken = tokens[0];
            context.localBarrier();
            if (lane == 0) {
                if (row < rows) {
                    best.set(row * count + rank, limitToken);
                    bestLogits.set(row * count + rank, limit);
                }
            }
        }
    }
}
