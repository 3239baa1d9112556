package dev.outrider.common.sampling;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Adds up the weights `exp((z - best) / temperature)` of a whole row and collects the tokens above a floor, in
/// one pass over the row: of 128,000 tokens, reading them is a quarter of the time.
///
/// Collected tokens get weights in double precision. The others, which top-p removes, count in single
/// precision (see [TailWeights]; below 5e-6 in their sum), because exponentials of 128,000 tokens in
/// double precision are most of what a rule's decision costs. Their sum decides only how far top-p
/// reaches: the distribution of the kept tokens keeps all its digits, and it is the same function of the logits
/// in every place where the policy is applied.
///
/// A block is [#ROWS] rows of [#LANES] tokens, added up by column. The best token is found where columns are
/// largest, tokens above the floor where columns reach it, so that few tokens are compared one by one. Until the best
/// token is known, weights are relative to a reference: the best of the first tokens, until there is one that is
/// far better. Powers of [#DEPTH] and more below the reference count as [#DEPTH] below it.
///
/// Confined to one thread.
final class TailSum {
    private static final int LANES = 512;
    private static final int ROWS = 16;
    private static final int BLOCK = LANES * ROWS;

    /// A token of 1e-14 of the reference's weight has the least weight there is.
    private static final double DEPTH = 32;

    /// A token with a larger power than this becomes the reference: precision falls with the distance.
    private static final double FAR = TailWeights.RANGE - DEPTH;

    private static final float FAR_COLUMN = (float) Math.exp(TailWeights.RANGE);

    /// The reference if all of the first tokens are impossible.
    private static final float LOWEST_REFERENCE = -1e30f;

    /// A token with some weight is in a column with at least this part of it.
    private static final double SAFE = 1 - 1e-3;

    private final float[] scores = new float[LANES];
    private final float[] columns = new float[LANES];
    private final double[] sums = new double[LANES];
    private final int[] found = new int[LANES];

    /// The columns of all blocks, and the largest one of each.
    private float[] allColumns = new float[0];

    private float[] largest = new float[0];

    // The current row.
    private MemorySegment logits = MemorySegment.NULL;
    private int vocabulary;
    private double inverse;
    private float scale;
    private float reference;

    /// The logit of weight 1, [#DEPTH] below the reference.
    private float least;

    private boolean someImpossible;
    private double best;
    private double total;

    /// Adds up the weights of a row.
    ///
    /// @return false if all logits are too low for this method, as masked logits can be
    /// @throws dev.outrider.spi.error.OutriderException `CONTRACT_BROKEN` if a logit is NaN or none is finite
    boolean add(MemorySegment row, int tokens, double temperature) {
        someImpossible = false;
        begin(row, tokens, temperature);
        addBlocks();
        if (Double.isNaN(Softmax.sum(sums))) {
            someImpossible = true;
            begin(row, tokens, temperature);
            addBlocks();
        }
        best = Logits.requireFinite(best());
        if (best < least) {
            return false;
        }
        total = Softmax.sum(sums);
        Logits.requireFinite(total + best); // a NaN is in the sums and nowhere else
        return true;
    }

    /// The sum of all weights of the row that was added last. May be called with several floors, one after another.
    ///
    /// @param floor   weight from which tokens are collected
    /// @param support receives tokens and weights
    double collect(double floor, WeightedTokens support) {
        double collected = collected(floor, support);
        double others = support.size() < vocabulary ? total - collected : 0;
        return others * Math.exp((least - best) * inverse) + support.weigh(best, inverse);
    }

    private void begin(MemorySegment row, int tokens, double temperature) {
        logits = row;
        vocabulary = tokens;
        inverse = 1 / temperature;
        scale = TailWeights.scale(temperature);
        int blocks = (tokens + BLOCK - 1) / BLOCK;
        if (largest.length != blocks) {
            largest = new float[blocks];
            allColumns = new float[blocks * LANES];
        }
        Arrays.fill(sums, 0);
        reference = LOWEST_REFERENCE;
        for (int token = 0; token < Math.min(LANES, tokens); token++) {
            reference = Math.max(reference, score(token));
        }
        Logits.requireFinite(reference);
        refer(reference);
    }

    private void refer(float score) {
        reference = score;
        least = (float) (score - DEPTH / inverse);
    }

    private void addBlocks() {
        for (int block = 0; block < largest.length; block++) {
            addBlock(block);
            if (largest[block] > FAR_COLUMN) {
                raiseReference(block);
            }
            accumulate(columns, sums);
        }
    }

    private void addBlock(int block) {
        Arrays.fill(columns, 0);
        int end = end(block);
        for (int row = block * BLOCK; row < end; row += LANES) {
            int count = Math.min(LANES, end - row);
            MemorySegment.copy(
                    logits, ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * row, scores, 0, count);
            if (someImpossible) {
                TailWeights.addImpossible(scores, columns, least, scale, count);
            } else {
                TailWeights.add(scores, columns, least, scale, count);
            }
        }
        largest[block] = largest(columns);
        System.arraycopy(columns, 0, allColumns, block * LANES, LANES);
    }

    /// Makes the best token of a block the reference if it is far better, and adds up the block again.
    private void raiseReference(int block) {
        float best = bestIn(block, largest[block] / ROWS * SAFE);
        Logits.requireFinite(best);
        if ((best - reference) * inverse > FAR) {
            float before = least;
            refer(best);
            float factor = (float) Softmax.exp((before - least) * inverse);
            Softmax.scale(sums, factor);
            scale(allColumns, factor);
            scale(largest, factor);
            addBlock(block);
        }
    }

    /// The largest logit of all.
    private float best() {
        float best = Float.NEGATIVE_INFINITY;
        double reach = largest(largest) / ROWS * SAFE;
        for (int block = 0; block < largest.length; block++) {
            if (largest[block] >= reach) {
                best = Math.max(best, bestIn(block, reach));
            }
        }
        return best;
    }

    /// The largest logit in those columns of a block that reach a weight.
    private float bestIn(int block, double weight) {
        float best = Float.NEGATIVE_INFINITY;
        int count = find(block, weight);
        for (int index = 0; index < count; index++) {
            for (int token = block * BLOCK + found[index]; token < end(block); token += LANES) {
                best = Math.max(best, score(token));
            }
        }
        return best;
    }

    /// Appends the tokens above the floor to the support, with their scores for weights.
    ///
    /// @return their part of the sum
    private double collected(double floor, WeightedTokens support) {
        double collected = 0;
        double reach = floor * Math.exp((best - least) * inverse) * SAFE;
        double lowest = best + Math.log(floor) / inverse;
        for (int block = 0; block < largest.length; block++) {
            int count = largest[block] >= reach ? find(block, reach) : 0;
            for (int row = block * BLOCK; row < end(block) && count > 0; row += LANES) {
                for (int index = 0; index < count && row + found[index] < end(block); index++) {
                    float score = score(row + found[index]);
                    if (score >= lowest) {
                        support.add(row + found[index], score);
                        collected += TailWeights.of(score, least, scale);
                    }
                }
            }
        }
        return collected;
    }

    /// Lists the columns of a block that reach a weight.
    private int find(int block, double weight) {
        int count = 0;
        for (int lane = 0; lane < LANES; lane++) {
            if (allColumns[block * LANES + lane] >= weight) {
                found[count++] = lane;
            }
        }
        return count;
    }

    private float score(int token) {
        return logits.get(ValueLayout.JAVA_FLOAT_UNALIGNED, (long) token * Float.BYTES);
    }

    private int end(int block) {
        return Math.min(vocabulary, (block + 1) * BLOCK);
    }

    private static float largest(float[] values) {
        float largest = 0;
        for (float value : values) {
            if (value > largest) {
                largest = value;
            }
        }
        return largest;
    }

    private static void accumulate(float[] columns, double[] sums) {
        for (int lane = 0; lane < LANES; lane++) {
            sums[lane] += columns[lane];
        }
    }

    private static void scale(float[] values, float factor) {
        for (int index = 0; index < values.length; index++) {
            values[index] *= factor;
        }
    }

    /// The weights `exp((z - least) / temperature)` of many logits z in single precision, at least 1 and with a relative
    /// error below 3e-5 up to [#RANGE] above 1.
    ///
    /// The exponential is a polynomial at a 128th of the power, squared seven times: no bits to rearrange, so the
    /// just-in-time compiler turns the loop into vector instructions. The polynomial has the smallest relative error
    /// of its degree on `[0, 41/128]`. It is written in a multiple of the power for which its first coefficient is 1.
    static final class TailWeights {
        /// Powers up to here are accurate.
        static final double RANGE = 40;

        private static final float SQUARINGS_SCALE = 1 / 128f;

        /// The powers' 128th is divided by it: the fourth root of the inverse of the first coefficient.
        private static final float UNIT = 2.127062032f;

        private static final float C3 = 1.584375037f;
        private static final float C2 = 2.263237333f;
        private static final float C1 = 2.127042958f;
        private static final float C0 = 1.000000055f;

        private TailWeights() {}

        /// Returns half of the factor of a logit's distance to the least one.
        static float scale(double temperature) {
            return (float) (SQUARINGS_SCALE / UNIT / 2 / temperature);
        }

        /// Adds each logit's weight to the column with its index. An impossible token, whose logit is minus infinity, makes
        /// its column NaN. All arrays are indexed alike: otherwise the compiler must assume that they overlap.
        static void add(float[] logits, float[] columns, float least, float scale, int count) {
            for (int lane = 0; lane < count; lane++) {
                float y = (logits[lane] - least) * scale;
                // The larger of 2y and 0 in two instructions; Math.max needs five, because of NaN
                // and -0.
                columns[lane] += power(y + Math.abs(y));
            }
        }

        /// As [#add], but an impossible token has the least weight.
        static void addImpossible(
                float[] logits, float[] columns, float least, float scale, int count) {
            for (int lane = 0; lane < count; lane++) {
                columns[lane] += of(logits[lane], least, scale);
            }
        }

        /// Returns the weight of one logit, with the same bits as in a sum.
        static float of(float logit, float least, float scale) {
            return power(Math.max(2 * ((logit - least) * scale), 0));
        }

        private static float power(float x) {
            float p = x + C3;
            p = p * x + C2;
            p = p * x + C1;
            p = p * x + C0;
            p *= p;
            p *= p;
            p *= p;
            p *= p;
            p *= p;
            p *= p;
            p *= p;
            return p;
        }
    }
}
