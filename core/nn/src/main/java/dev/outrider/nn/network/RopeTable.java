package dev.outrider.nn.network;

/// Cosines and sines of the rotary angles, row per position, column per pair of a head.
///
/// @param half pairs of a head
record RopeTable(float[] cos, float[] sin, int half) {
    static RopeTable of(DecoderConfig c, int positions) {
        int half = c.headSize() / 2;
        var cos = new float[positions * half];
        var sin = new float[positions * half];
        for (int p = 0; p < positions; p++) {
            for (int i = 0; i < half; i++) {
                double f = p * Math.pow(c.ropeTheta(), -2.0 * i / c.headSize());
                cos[p * half + i] = (float) Math.cos(f);
                sin[p * half + i] = (float) Math.sin(f);
            }
        }
        return new RopeTable(cos, sin, half);
    }
}
