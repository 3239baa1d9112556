package dev.outrider.nn.network;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;

/// A second implementation of the rounding of weights to 8 or 4 bits: a 16-bit scale for every 32 columns of an output.
///
/// @param least    lowest level
/// @param greatest highest level; the lowest stands for the number of the greatest magnitude where there is one level more below
record QuantisedWeights(DecoderConfig config, WeightSource source, int least, int greatest)
        implements WeightSource {
    private static final int BLOCK = 32;

    @Override
    public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
        if (!weight.linear() && !(weight == Weight.EMBEDDING && config.tiedHead())) {
            source.read(weight, layer, reader);
            return;
        }
        long[] shape = weight.shape(config, layer);
        source.read(
                weight,
                layer,
                whole -> {
                    float[] numbers = whole.toArray(ValueLayout.JAVA_FLOAT);
                    int columns = (int) shape[1];
                    for (int row = 0; row < shape[0]; row++) {
                        for (int from = 0; from < columns; from += BLOCK) {
                            round(numbers, row * columns + from, Math.min(BLOCK, columns - from));
                        }
                    }
                    reader.accept(MemorySegment.ofArray(numbers));
                });
    }

    private void round(float[] numbers, int at, int count) {
        float extreme = 0;
        for (int index = at; index < at + count; index++) {
            extreme = Math.abs(numbers[index]) > Math.abs(extreme) ? numbers[index] : extreme;
        }
        float step = -least == greatest ? Math.abs(extreme) / greatest : extreme / least;
        float scale = Float.float16ToFloat(Float.floatToFloat16(step));
        for (int index = at; index < at + count; index++) {
            int level = scale == 0 ? 0 : Math.round(numbers[index] / scale);
            numbers[index] = scale * Math.clamp(level, least, greatest);
        }
    }
}
