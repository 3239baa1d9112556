package dev.outrider.nn.network;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;

/// Weights that bfloat16 can hold, so that only arithmetic differs between precisions.
record RoundedWeights(WeightSource source) implements WeightSource {
    @Override
    public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
        source.read(
                weight,
                layer,
                numbers -> {
                    try (var arena = Arena.ofConfined()) {
                        var rounded = arena.allocate(numbers.byteSize(), Float.BYTES);
                        for (long at = 0; at < numbers.byteSize() / Float.BYTES; at++) {
                            rounded.setAtIndex(
                                    ValueLayout.JAVA_FLOAT,
                                    at,
                                    rounded(numbers.getAtIndex(ValueLayout.JAVA_FLOAT, at)));
                        }
                        reader.accept(rounded);
                    }
                });
    }

    /// The nearest bfloat16 number, the even one of two.
    static float rounded(float number) {
        int bits = Float.floatToRawIntBits(number);
        return Float.intBitsToFloat((bits + 0x7FFF + (bits >>> 16 & 1)) & 0xFFFF0000);
    }
}
