package dev.outrider.nn.network;

/// Cosines and sines of the rotary angles, shape `[positions, half]`: row per position, column per pair of a head.
/// Pair `i` consists of the numbers `i` and `i + half` of a head. Computed in double precision, then rounded.
///
/// @param cos  row-major
/// @param sin  row-major
/// @param half pairs of a head
public record RopeTable(float[] cos, float[] sin, int half) {
    /// Returns the angles of positions 0 to `positions - 1`. [DecoderMemory] computes their memory.
    ///
    /// @throws ArithmeticException if there are more than an array holds
    public static RopeTable of(DecoderConfig config, int positions) {
        return of(config.ropeTheta(), config.ropeScaling(), config, positions);
    }

    /// Returns the angles of layers that see a window, if these layers have their own.
    public static RopeTable ofLocal(DecoderConfig config, int positions) {
        return config.localRopeTheta().isEmpty()
                ? of(config, positions)
                : of(
                        config.localRopeTheta().getAsDouble(),
                        new RopeScaling.Unscaled(),
                        config,
                        positions);
    }

    private static RopeTable of(
            double theta, RopeScaling scaling, DecoderConfig config, int positions) {
        var frequencies = scaling.frequencies(theta, config.rotarySize(), config.maxPositions());
        double amplitude = scaling.amplitude();
        int half = frequencies.length;
        int size = Math.multiplyExact(positions, half);
        var cos = new float[size];
        var sin = new float[size];
        for (int position = 0; position < positions; position++) {
            for (int pair = 0; pair < half; pair++) {
                double angle = position * frequencies[pair];
                cos[position * half + pair] = (float) (amplitude * StrictMath.cos(angle));
                sin[position * half + pair] = (float) (amplitude * StrictMath.sin(angle));
            }
        }
        return new RopeTable(cos, sin, half);
    }

    /// Cosines for both halves of a head, shape `[positions, 2 * half]`.
    ///
    /// With [#headSignedSines], rotation is `x * cosines + roll(x, half) * signedSines`.
    public float[] headCosines() {
        return bothHalves(cos, 1);
    }

    /// Sines for both halves of a head, those of the first negated; shape `[positions, 2 * half]`.
    public float[] headSignedSines() {
        return bothHalves(sin, -1);
    }

    private float[] bothHalves(float[] values, int firstSign) {
        var both = new float[Math.multiplyExact(2, values.length)];
        for (int at = 0; at < values.length; at++) {
            int first = 2 * (at / half) * half + at % half;
            both[first] = firstSign * values[at];
            both[first + half] = values[at];
        }
        return both;
    }
}
