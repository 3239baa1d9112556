package dev.outrider.nn.network;

/// Cosines and sines of the rotary angles, shape `[positions, half]`: row per position, column per pair of a head.
/// Pair `i` consists of the numbers `i` and `i + half` of a head. Computed in double precision, then rounded.
///
/// @param cos  row-major
/// @param sin  row-major
/// @param half pairs of a head
record RopeTable(float[] cos, float[] sin, int half) {
    static RopeTable of(DecoderConfig config, int positions) {
        var frequencies =
                RotaryFrequencies.of(config.ropeTheta(), config.headSize(), config.ropeScaling());
        double amplitude = RotaryFrequencies.amplitude(config.ropeScaling());
        int half = frequencies.length;
        var cos = new float[positions * half];
        var sin = new float[positions * half];
        for (int position = 0; position < positions; position++) {
            for (int pair = 0; pair < half; pair++) {
                double angle = position * frequencies[pair];
                cos[position * half + pair] = (float) (amplitude * Math.cos(angle));
                sin[position * half + pair] = (float) (amplitude * Math.sin(angle));
            }
        }
        return new RopeTable(cos, sin, half);
    }
}
