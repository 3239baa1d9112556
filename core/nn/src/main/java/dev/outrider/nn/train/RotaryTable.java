package dev.outrider.nn.train;

/// Angles of the rotary position embedding, with a head's halves turned against each other.
///
/// Shape of both: `[maxPositions][1][headDimension]`, flat. The sines of the first half are negated, so that a rotation is
/// `x * cosines + roll(x, headDimension / 2) * signedSines`.
///
/// @see "Su et al. 2021 (RoFormer), section 3.4.2"
record RotaryTable(float[] cosines, float[] signedSines) {
    static RotaryTable of(DecoderShape shape) {
        int size = shape.headDimension();
        int half = size / 2;
        var cosines = new float[shape.maxPositions() * size];
        var sines = new float[shape.maxPositions() * size];
        for (int position = 0; position < shape.maxPositions(); position++) {
            for (int i = 0; i < half; i++) {
                double angle = position * Math.pow(shape.ropeTheta(), -2.0 * i / size);
                int at = position * size + i;
                cosines[at] = (float) Math.cos(angle);
                cosines[at + half] = cosines[at];
                sines[at] = (float) -Math.sin(angle);
                sines[at + half] = -sines[at];
            }
        }
        return new RotaryTable(cosines, sines);
    }
}
