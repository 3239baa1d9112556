package dev.outrider.nn.network;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;

/// Random weights of a one-layer decoder, and the computation of a single row, in plain loops that share no code with the networks.
final class ReferenceWeights implements WeightSource {
    private final DecoderConfig config;
    private final long seed;

    ReferenceWeights(DecoderConfig config, long seed) {
        this.config = config;
        this.seed = seed;
    }

    @Override
    public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
        reader.accept(MemorySegment.ofArray(all(weight, layer)));
    }

    float[] all(Weight weight, int layer) {
        var random = new Random(seed * 100 + weight.ordinal());
        var values = new float[(int) weight.elements(config, layer)];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian() * 0.5f + (weight.norm() ? 1 : 0);
        }
        return values;
    }

    float[] row(Weight weight, int layer, int row) {
        int columns = (int) weight.shape(config, layer)[1];
        return Arrays.copyOfRange(all(weight, layer), row * columns, (row + 1) * columns);
    }

    /// `W x`.
    float[] times(Weight weight, int layer, float[] x) {
        var matrix = all(weight, layer);
        var result = new float[matrix.length / x.length];
        for (int row = 0; row < result.length; row++) {
            for (int column = 0; column < x.length; column++) {
                result[row] += matrix[row * x.length + column] * x[column];
            }
        }
        return result;
    }

    /// `x / sqrt(mean(x^2) + eps) * weight`.
    float[] normed(float[] x, Weight norm) {
        var weight = all(norm, 0);
        double squares = 0;
        for (float value : x) {
            squares += value * value;
        }
        double scale = 1 / Math.sqrt(squares / x.length + config.normEpsilon());
        var result = new float[x.length];
        for (int i = 0; i < x.length; i++) {
            result[i] = (float) (x[i] * scale * weight[i]);
        }
        return result;
    }

    /// Attention of a row that sees only itself: its value, once per query head of the value's head, projected.
    float[] attention(float[] read) {
        var values = times(Weight.VALUE, 0, read);
        int size = config.headSize();
        int group = config.heads() / config.keyValueHeads();
        var heads = new float[config.heads() * size];
        for (int head = 0; head < config.heads(); head++) {
            System.arraycopy(values, head / group * size, heads, head * size, size);
        }
        return times(Weight.OUTPUT, 0, heads);
    }

    /// `down(silu(gate n) * up n)` of the normed stream.
    float[] feedForward(float[] x) {
        var normed = normed(x, Weight.FEED_FORWARD_NORM);
        var gate = times(Weight.GATE, 0, normed);
        var up = times(Weight.UP, 0, normed);
        for (int i = 0; i < gate.length; i++) {
            gate[i] = (float) (gate[i] / (1 + Math.exp(-gate[i]))) * up[i];
        }
        return times(Weight.DOWN, 0, gate);
    }
}
