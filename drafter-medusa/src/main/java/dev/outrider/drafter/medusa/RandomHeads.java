package dev.outrider.drafter.medusa;

import dev.outrider.nn.network.DecoderConfig;
import java.util.SplittableRandom;

/// Random heads of one block for a target's shape, for measurements. Numbers are uniform with standard deviation 0.02.
///
/// @param target     the target's shape
/// @param heads      number of heads
/// @param projection whose projection they use
record RandomHeads(DecoderConfig target, int heads, Projection projection) implements HeadWeights {
    private static final double BOUND = 0.02 * Math.sqrt(3);

    @Override
    public int hiddenSize() {
        return target.hiddenSize();
    }

    @Override
    public int rows() {
        return target.vocabularySize();
    }

    @Override
    public int layers() {
        return 1;
    }

    @Override
    public boolean biased() {
        return true;
    }

    @Override
    public float[] block(int head, int layer) {
        return random(3L * head, hiddenSize() * hiddenSize());
    }

    @Override
    public float[] bias(int head, int layer) {
        return random(3L * head + 1, hiddenSize());
    }

    @Override
    public float[] projection(int head) {
        return random(3L * head + 2, rows() * hiddenSize());
    }

    private static float[] random(long seed, int count) {
        var random = new SplittableRandom(seed);
        var values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) (random.nextInt() * 0x1p-31 * BOUND);
        }
        return values;
    }
}
