package dev.outrider.common.sampling;

/// The weights `exp((z - least) / temperature)` of many logits z in single precision, at least 1 and with a relative
/// error below 3e-5 up to [#RANGE] above 1.
///
/// The exponential is a polynomial at a 128th of the power, squared seven times: no bits to rearrange, so the
/// just-in-time compiler turns the loop into vector instructions. The polynomial has the smallest relative error
/// of its degree on `[0, 41/128]`. It is written in a multiple of the power for which its first coefficient is 1.
final class TailWeights {
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

    /// Half of what a logit's distance to the least one is multiplied by.
    static float scale(double temperature) {
        return (float) (SQUARINGS_SCALE / UNIT / 2 / temperature);
    }

    /// Adds each logit's weight to the column with its index. An impossible token, whose logit is minus infinity, makes
    /// its column NaN. All arrays are indexed alike: otherwise the compiler must assume that they overlap.
    static void add(float[] logits, float[] columns, float least, float scale, int count) {
        for (int lane = 0; lane < count; lane++) {
            float y = (logits[lane] - least) * scale;
            // The larger of 2y and 0 in two instructions; Math.max takes five for the sake of NaN
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

    /// The weight of one logit, to the bit as in a sum.
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
