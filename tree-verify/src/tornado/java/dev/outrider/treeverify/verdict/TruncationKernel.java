package dev.outrider.treeverify.verdict;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.math.TornadoMath;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/// Finds which tokens of each row a policy keeps, without sorting. [PlainTruncation] has the same with a sort.
///
/// A cut is searched twice, first top-k's by counting, then top-p's by adding up weights. A search goes over the row a few
/// times: logits fall into bins of equal width, the amounts of the bins are added up from the largest logits down, and the
/// bin in which the sum reaches what is wanted is divided into bins of its own, until one logit is left. The first bins are
/// one or two powers of e wide and the next a 32nd of that or less: three or four times find a nucleus of a hundred tokens,
/// six the median of 131,072.
///
/// Every lane has a column of bins, so no two write to one place. A width is a power of two: then a logit's bin is the same
/// however a compiler arranges the arithmetic, and a token that one time counts above a bin is not in it the next time.
///
/// One work group of [PlainVerdicts#LANES] items has one row. A policy that removes nothing costs no look at it.
final class TruncationKernel {
    private static final int LANES = PlainVerdicts.LANES;
    private static final int BINS = 32;

    /// Logits a lane reads before it looks at the first of them, because memory answers several as soon as one.
    private static final int AT_ONCE = 4;

    /// Below every logit, as in [VerdictKernels].
    private static final float LEAST = -3e38f;

    /// A search that has not come to one logit by then takes those left, which differ by less than any law shows, for
    /// equal.
    private static final int MOST_TIMES = 64;

    /// Bins are not made narrower than its inverse.
    private static final float FINEST = 1e30f;

    private TruncationKernel() {}

    /// Which tokens of each row stay: those with a larger logit than its limit, and of those equal to it the ones up to its
    /// last id.
    ///
    /// @param largest of each row
    /// @param sums    of each row: weights of all tokens, replaced by the sum of those that stay
    /// @param limits  written, of each row
    /// @param lasts   written, of each row
    static void truncate(
            KernelContext context,
            IntArray round,
            FloatArray numbers,
            FloatArray logits,
            FloatArray largest,
            FloatArray sums,
            FloatArray limits,
            IntArray lasts,
            int vocabulary) {
        int row = context.groupIdx;
        int lane = context.localIdx;
        int rows = round.get(VerdictLayout.ROWS);
        int topK = round.get(VerdictLayout.TOP_K);
        float topP = numbers.get(VerdictLayout.TOP_P);
        float reach = numbers.get(VerdictLayout.REACH);
        float scale = numbers.get(VerdictLayout.SCALE);
        int byCount = row < rows && topK > 0 ? 1 : 0;
        int byMass = row < rows && topP < 1f ? 1 : 0;
        int byReach = row < rows && reach < Truncation.EVERYWHERE ? 1 : 0;
        int start = row * vocabulary;
        float top = largest.get(row);
        float total = sums.get(row);
        float limit = LEAST;
        int last = vocabulary - 1;
        float[] bins = context.allocateFloatLocalArray(BINS * LANES);
        float[] amounts = context.allocateFloatLocalArray(BINS);
        float[] values = new float[AT_ONCE];
        int searches = byCount + byMass + byReach > 0 ? 2 : 0;
        for (int search = 0; search < searches; search++) {
            int searching = byCount;
            float wanted = topK;
            if (search == 1) {
                searching = byMass;
                wanted = topP * total;
            }
            int searched = searching;
            // The bin of the last time and those of this time.
            float low = limit;
            float high = top;
            float oldOrigin = top;
            float oldInverse = 0f;
            int chosen = 0;
            float above = 0f;
            float tied = 0f;
            float origin = top;
            float range = TornadoMath.min(top - low, BINS / scale);
            float inverse = 1f;
            int times = 0;
            while (searching == 1) {
                inverse = inverse(inverse, range);
                for (int empty = 0; empty < BINS; empty++) {
                    bins[empty * LANES + lane] = 0f;
                }
                float least = -LEAST;
                float most = LEAST;
                float members = 0f;
                for (int first = lane; first < vocabulary; first += AT_ONCE * LANES) {
                    for (int read = 0; read < AT_ONCE; read++) {
                        int token = TornadoMath.min(first + read * LANES, vocabulary - 1);
                        values[read] = logits.get(start + token);
                    }
                    for (int read = 0; read < AT_ONCE; read++) {
                        float value = values[read];
                        if (first + read * LANES < vocabulary && value >= low && value <= high) {
                            if (bin(value, oldOrigin, oldInverse) == chosen) {
                                least = TornadoMath.min(least, value);
                                most = TornadoMath.max(most, value);
                                members += 1f;
                                float amount = 1f;
                                if (search == 1) {
                                    amount = TornadoMath.exp((value - top) * scale);
                                }
                                int place = bin(value, origin, inverse) * LANES + lane;
                                bins[place] = bins[place] + amount;
                            }
                        }
                    }
                }
                context.localBarrier();
                if (lane < BINS) {
                    // Each begins with another column, because a column is a bank of the memory.
                    float amount = 0f;
                    for (int other = 0; other < LANES; other++) {
                        amount += bins[lane * LANES + (other + lane) % LANES];
                    }
                    amounts[lane] = amount;
                }
                context.localBarrier();
                low = -largestOfLanes(context, -least);
                high = largestOfLanes(context, most);
                tied = VerdictKernels.sumOfLanes(context, members);
                // The first bin with which the sum reaches what is wanted. Where rounding keeps it from that, the last one
                // with anything in it.
                float sum = above;
                float before = above;
                int next = 0;
                int bin = 0;
                int adding = 1;
                while (adding == 1) {
                    float amount = amounts[bin];
                    if (amount > 0f) {
                        next = bin;
                        before = sum;
                        sum = sum + amount;
                    }
                    bin++;
                    if (sum >= wanted || bin == BINS) {
                        adding = 0;
                    }
                }
                times++;
                limit = low;
                if (low >= high || times >= MOST_TIMES) {
                    searching = 0;
                } else {
                    above = before;
                    oldOrigin = origin;
                    oldInverse = inverse;
                    chosen = next;
                    float upper = oldOrigin - chosen / oldInverse;
                    float lower = upper - 1f / oldInverse;
                    if (chosen == 0) {
                        upper = high;
                    }
                    if (chosen == BINS - 1) {
                        lower = low;
                    }
                    origin = TornadoMath.min(upper, high);
                    range = origin - TornadoMath.max(lower, low);
                }
            }
            float weight = TornadoMath.exp((limit - top) * scale);
            float staying = tied;
            int split = 0;
            if (search == 1 && searched == 1) {
                staying = staying(wanted - above, weight, tied);
                split = staying < tied ? 1 : 0;
            }
            int lastStaying = lastOfEqual(context, logits, start, vocabulary * split, limit, staying);
            if (split == 1) {
                last = lastStaying;
            }
            // What stays is added up anew where it was counted, or where min-p leaves less.
            int again = searched;
            if (search == 1) {
                total = searched == 1 ? above + staying * weight : total;
                again = top - limit > reach ? byReach : 0;
            }
            float least = -LEAST;
            float sum = 0f;
            int count = vocabulary * again;
            for (int token = lane; token < count; token += LANES) {
                float value = logits.get(start + token);
                float distance = top - value;
                if (distance <= reach || search == 0) {
                    if (keeps(limit, last, value, token) == 1) {
                        least = TornadoMath.min(least, value);
                        sum += TornadoMath.exp((value - top) * scale);
                    }
                }
            }
            float kept = -largestOfLanes(context, -least);
            sum = VerdictKernels.sumOfLanes(context, sum);
            if (again == 1) {
                total = sum;
                if (kept > limit) {
                    limit = kept;
                    last = vocabulary - 1;
                }
            }
        }
        if (lane == 0) {
            if (row < rows) {
                sums.set(row, total);
                limits.set(row, limit);
                lasts.set(row, last);
            }
        }
    }

    /// 1 if a token stays, else 0.
    static int keeps(float limit, int last, float value, int token) {
        int keeps = 0;
        if (value > limit) {
            keeps = 1;
        }
        if (value == limit) {
            if (token <= last) {
                keeps = 1;
            }
        }
        return keeps;
    }

    /// The bin of a logit. What lies outside of all is in the first or the last.
    private static int bin(float value, float origin, float inverse) {
        float place = (origin - value) * inverse;
        return (int) TornadoMath.max(TornadoMath.min(place, BINS - 1f), 0f);
    }

    /// The inverse of a width of bins that together are as wide as a range or up to twice as wide: a power of two.
    ///
    /// @param from a power of two to begin with
    private static float inverse(float from, float range) {
        float inverse = from;
        while (inverse * range > BINS) {
            inverse = inverse * 0.5f;
        }
        while (inverse * range <= BINS / 2 && inverse < FINEST) {
            inverse = inverse * 2f;
        }
        return inverse;
    }

    /// How many of some equal tokens stay: one goes when those before it hold as much as is wanted.
    ///
    /// @param rest   wanted of them, positive
    /// @param weight of each
    /// @param tied   how many there are
    private static float staying(float rest, float weight, float tied) {
        float staying = TornadoMath.floor(TornadoMath.min(rest / weight, tied));
        // Division is rounded one way or the other.
        while (staying < tied && staying * weight < rest) {
            staying += 1f;
        }
        while (staying > 1f && (staying - 1f) * weight >= rest) {
            staying -= 1f;
        }
        return staying;
    }

    /// The id of the `rank`-th token with a logit. Every lane counts in a part of the row of its own; all look through the
    /// part that has it.
    ///
    /// @param count tokens of the row; 0 looks at none
    private static int lastOfEqual(
            KernelContext context, FloatArray logits, int start, int count, float limit, float rank) {
        float[] equal = context.allocateFloatLocalArray(LANES);
        int lane = context.localIdx;
        int part = (count + LANES - 1) / LANES;
        int end = TornadoMath.min((lane + 1) * part, count);
        float own = 0f;
        for (int token = lane * part; token < end; token++) {
            if (logits.get(start + token) == limit) {
                own += 1f;
            }
        }
        equal[lane] = own;
        context.localBarrier();
        float left = rank;
        int at = 0;
        int looking = 1;
        while (looking == 1) {
            if (at < LANES - 1 && left > equal[at]) {
                left -= equal[at];
                at++;
            } else {
                looking = 0;
            }
        }
        int last = 0;
        int partEnd = TornadoMath.min((at + 1) * part, count);
        for (int token = at * part; token < partEnd; token++) {
            if (left > 0f && logits.get(start + token) == limit) {
                left -= 1f;
                last = token;
            }
        }
        context.localBarrier();
        return last;
    }

    /// The largest value of the lanes of a group. All lanes get it.
    private static float largestOfLanes(KernelContext context, float value) {
        float[] values = context.allocateFloatLocalArray(LANES);
        int lane = context.localIdx;
        values[lane] = value;
        for (int stride = LANES / 2; stride > 0; stride /= 2) {
            context.localBarrier();
            if (lane < stride) {
                values[lane] = TornadoMath.max(values[lane], values[lane + stride]);
            }
        }
        context.localBarrier();
        float largest = values[0];
        context.localBarrier();
        return largest;
    }
}
