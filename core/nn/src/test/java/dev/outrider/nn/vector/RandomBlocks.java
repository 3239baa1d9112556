package dev.outrider.nn.vector;

import dev.outrider.nn.checkpoint.FileMatrix.BlockMatrix;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.checkpoint.TensorType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Matrices of random blocks whose scales are small.
final class RandomBlocks {
    private static final ValueLayout.OfShort HALF =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private RandomBlocks() {}

    /// The formats that panels keep as they are.
    static List<TensorType> types() {
        return Arrays.stream(TensorType.values())
                .filter(type -> type.blocks().isPresent() && PanelFormat.of(type).isPresent())
                .toList();
    }

    static BlockMatrix of(TensorType type, int rows, int columns, long seed) {
        var random = new Random(seed);
        var blocks = type.blocks().orElseThrow();
        var bytes = new byte[Math.toIntExact(blocks.bytes((long) rows * columns))];
        random.nextBytes(bytes);
        var data = MemorySegment.ofArray(bytes);
        for (int at = 0; at < bytes.length; at += blocks.bytes()) {
            if (type == TensorType.MXFP4) {
                data.set(ValueLayout.JAVA_BYTE, at, (byte) (random.nextInt(8) == 0 ? at % 2 : 118));
                continue;
            }
            for (int place : halves(type)) {
                float scale = (random.nextFloat() - 0.5f) / 512;
                data.set(HALF, at + place, Float.floatToFloat16(scale));
            }
        }
        var tensor = new StoredTensor("x", type, List.of((long) rows, (long) columns), data);
        return new BlockMatrix(tensor, rows, row -> row);
    }

    /// Where a block has 16-bit floats.
    private static int[] halves(TensorType type) {
        return switch (type) {
            case Q4_1, Q5_1, Q4_K, Q5_K -> new int[] {0, 2};
            case Q2_K -> new int[] {80, 82};
            case Q3_K -> new int[] {108};
            case Q6_K -> new int[] {208};
            default -> new int[] {0};
        };
    }
}
