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
/// Shapes: logits `[rows, V]`; largest, sums, limits, lasts, argmax, drawn, accepted `[rows]`; `round` and `numbers`: see [VerdictLayout]; limits and lasts: [TruncationKernel].
final class VerdictKernels {
    /// Items of a work group.
    static final int LANES = PlainVerdicts.LANES;

    /// Below every logit: infinities do not survive OpenCL's relaxed arithmetic.
    private static final float LEAST = -3e38f;

    private VerdictKernels() {}

    /// Largest logit, sum of exponentials and argmax of each row.
    static void statistics(
            KernelContext context,
            IntArray round,
            FloatArray numbers,
            FloatArray logits,
            FloatArray largest,
            FloatArray sums,
            IntArray argmax,
            int vocabulary) {
        int row = context.groupIdx;
        int lane = context.localIdx;
        int rows = round.get(VerdictLayout.ROWS);
        int count = row < rows ? vocabulary : 0;
        int start = row * vocabulary;
        float scale = numbers.get(VerdictLayout.SCALE);
        float best = LEAST;
        int at = vocabulary;
        for (int token = lane; token < count; token += LANES) {
            float value = logits.get(start + token);
            if (value > best) {
                best = value;
                at = token;
            }
        }
        int first = firstOfLargest(context, best, at);
        float top = LEAST;
        if (first < count) {
            top = logits.get(start + first);
        }
        float sum = 0f;
        for (int token = lane; token < count; token += LANES) {
            sum += TornadoMath.exp((logits.get(start + token) - top) * scale);
        }
        float total = sumOfLanes(context, sum);
        if (lane == 0) {
            if (row < rows) {
                largest.set(row, top);
                sums.set(row, total);
                argmax.set(row, first);
            }
        }
    }

    /// A token for each row: from the target's law, or from what a rejection leaves of it.
    static void draw(
            KernelContext context,
            IntArray round,
            FloatArray numbers,
            FloatArray logits,
            FloatArray largest,
            FloatArray sums,
            FloatArray limits,
            IntArray lasts,
            IntArray drawn,
            int vocabulary,
            int maxRows) {
        int row = context.groupIdx;
        int lane = context.localIdx;
        int rows = round.get(VerdictLayout.ROWS);
        int count = row < rows ? vocabulary * round.get(VerdictLayout.DRAWS) : 0;
        int start = row * vocabulary;
        float scale = numbers.get(VerdictLayout.SCALE);
        float top = largest.get(row);
        float sum = sums.get(row);
        float limit = limits.get(row);
        int last = lasts.get(row);
        int gone = round.get(VerdictLayout.HEAD + VerdictLayout.REMOVED * maxRows + row);
        int starts = VerdictLayout.entryStarts(maxRows) + row;
        int tokens = VerdictLayout.entryTokens(maxRows);
        int weights = VerdictLayout.entryWeights(maxRows) - tokens;
        int firstEntry = tokens + round.get(starts);
        int entries = tokens + round.get(starts + 1);
        float[] remainders = context.allocateFloatLocalArray(LANES);
        float[] wholes = context.allocateFloatLocalArray(LANES);
        int part = (vocabulary + LANES - 1) / LANES;
        int end = TornadoMath.min((lane + 1) * part, count);
        float remainder = 0f;
        float whole = 0f;
        int entry = entryFrom(round, firstEntry, entries, lane * part);
        for (int token = lane * part; token < end; token++) {
            float value = logits.get(start + token);
            float p = probability(value, token, limit, last, top, scale, sum);
            float q = 0f;
            if (entry < entries) {
                if (round.get(entry) == token) {
                    q = numbers.get(weights + entry);
                    entry++;
                }
            }
            remainder += left(p, q, token, gone, 0);
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
            float rest =
                    numbers.get(VerdictLayout.COINS + VerdictLayout.DRAW * maxRows + row)
                            * (useWhole == 1 ? all : left);
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
            rest +=
                    numbers.get(VerdictLayout.COINS + VerdictLayout.FRACTION * maxRows + row)
                            * VerdictLayout.LAST_BIT
                            * (useWhole == 1 ? all : left);
            int found = -1;
            int token = at * part;
            entry = entryFrom(round, firstEntry, entries, token);
            while (found < 0 && token < count) {
                float value = logits.get(start + token);
                float p = probability(value, token, limit, last, top, scale, sum);
                float q = 0f;
                if (entry < entries) {
                    if (round.get(entry) == token) {
                        q = numbers.get(weights + entry);
                        entry++;
                    }
                }
                float weight = left(p, q, token, gone, useWhole);
                rest -= weight;
                if (weight > 0f && rest < 0f) {
                    found = token;
                }
                token++;
            }
            // Rounding can leave a little to go at the end; the last token with any weight is meant
            // then.
            int back = count - 1;
            entry = entries - 1;
            while (found < 0 && back >= 0) {
                float value = logits.get(start + back);
                float p = probability(value, back, limit, last, top, scale, sum);
                float q = 0f;
                if (entry >= firstEntry) {
                    if (round.get(entry) == back) {
                        q = numbers.get(weights + entry);
                        entry--;
                    }
                }
                if (left(p, q, back, gone, useWhole) > 0f) {
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
            FloatArray numbers,
            FloatArray logits,
            FloatArray largest,
            FloatArray sums,
            FloatArray limits,
            IntArray lasts,
            IntArray accepted,
            int vocabulary,
            int maxRows) {
        int row = context.globalIdx;
        int tested = (round.get(VerdictLayout.ROWS) - 1) * round.get(VerdictLayout.CHAIN);
        if (row < tested) {
            int next = VerdictLayout.HEAD + VerdictLayout.TOKEN * maxRows + row + 1;
            int token = round.get(next);
            float p =
                    probability(
                            logits.get(row * vocabulary + token),
                            token,
                            limits.get(row),
                            lasts.get(row),
                            largest.get(row),
                            numbers.get(VerdictLayout.SCALE),
                            sums.get(row));
            float drafted =
                    numbers.get(VerdictLayout.COINS + VerdictLayout.DRAFTED * maxRows + row);
            float uniform =
                    numbers.get(VerdictLayout.COINS + VerdictLayout.ACCEPT * maxRows + row);
            int passed = 0;
            if (drafted > 0f && uniform * drafted < p) {
                passed = 1;
            }
            accepted.set(row, passed);
        }
    }

    /// The accepted path, in topological order of the nodes. One work item does it all: it reads a few dozen numbers.
    static void walk(
            KernelContext context,
            IntArray round,
            IntArray accepted,
            IntArray argmax,
            IntArray drawn,
            IntArray answer,
            int maxRows) {
        if (context.globalIdx == 0) {
            int rows = round.get(VerdictLayout.ROWS);
            int draws = round.get(VerdictLayout.DRAWS);
            int chain = round.get(VerdictLayout.CHAIN);
            int tokens = VerdictLayout.HEAD + VerdictLayout.TOKEN * maxRows;
            int parents = VerdictLayout.HEAD + VerdictLayout.PARENT * maxRows;
            int candidates = VerdictLayout.HEAD + VerdictLayout.CANDIDATE * maxRows;
            int node = 0;
            int length = 0;
            int corrected = 0;
            for (int other = 1; other < rows; other++) {
                if (round.get(parents + other) == node && round.get(candidates + other) == 1) {
                    int choice = argmax.get(node);
                    if (draws == 1) {
                        choice = drawn.get(node);
                    }
                    int match = 0;
                    if (chain == 1) {
                        match = accepted.get(node);
                    } else {
                        if (round.get(tokens + other) == choice) {
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

    /// The target's probability of a token; 0 if the policy removes it.
    ///
    /// @param value its logit
    /// @param sum   weights of the tokens that stay
    private static float probability(
            float value, int token, float limit, int last, float top, float scale, float sum) {
        float p = 0f;
        if (TruncationKernel.keeps(limit, last, value, token) == 1) {
            p = TornadoMath.exp((value - top) * scale) / sum;
        }
        return p;
    }

    /// What is left of a token's probability p to draw from.
    ///
    /// @param whole 1 if all of it is
    private static float left(float p, float q, int token, int gone, int whole) {
        float left = p;
        if (whole == 0) {
            left = TornadoMath.max(p - q, 0f);
            if (token == gone) {
                left = 0f;
            }
        }
        return left;
    }

    /// The first of a node's entries of q, from one index to before another, that is for a token or a later one.
    private static int entryFrom(IntArray round, int first, int end, int token) {
        int low = first;
        int high = end;
        while (low < high) {
            int middle = (low + high) / 2;
            if (round.get(middle) < token) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// The token of the largest value that a lane of the group has, the lowest among equals. All lanes get it.
    private static int firstOfLargest(KernelContext context, float value, int token) {
        float[] values = context.allocateFloatLocalArray(LANES);
        int[] tokens = context.allocateIntLocalArray(LANES);
        int lane = context.localIdx;
        values[lane] = value;
        tokens[lane] = token;
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
        int first = tokens[0];
        context.localBarrier();
        return first;
    }

    /// The sum over the lanes of a group. All lanes get it.
    static float sumOfLanes(KernelContext context, float value) {
        float[] values = context.allocateFloatLocalArray(LANES);
        int lane = context.localIdx;
        values[lane] = value;
        for (int stride = LANES / 2; stride > 0; stride /= 2) {
            context.localBarrier();
            if (lane < stride) {
                values[lane] += values[lane + stride];
            }
        }
        context.localBarrier();
        float sum = values[0];
        context.localBarrier();
        return sum;
    }
}
