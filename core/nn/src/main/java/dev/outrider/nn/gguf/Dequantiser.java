package dev.outrider.nn.gguf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Makes numbers of blocks.
///
/// @see "ggml's block formats; MXFP4: Open Compute Project 2023, microscaling formats"
public final class Dequantiser {
    private static final ValueLayout.OfShort HALF =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt WORD =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int NIBBLE = 0xf;
    private static final float[] FP4 = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

    private final MemorySegment data;
    private final GgufBlock block = new GgufBlock();

    /// @param data blocks
    public Dequantiser(MemorySegment data) {
        this.data = data;
    }

    /// One block.
    ///
    /// @param at   where it begins
    /// @param into gets [GgufType#block] numbers
    public void block(GgufType type, long at, float[] into) {
        switch (type) {
            case F32 -> into[0] = Float.intBitsToFloat(data.get(WORD, at));
            case F16 -> into[0] = Float.float16ToFloat(data.get(HALF, at));
            case BF16 -> into[0] = Float.intBitsToFloat(data.get(HALF, at) << Short.SIZE);
            case MXFP4 -> fours(at, into);
            default -> levels(type, at, into);
        }
    }

    private void levels(GgufType type, long at, float[] into) {
        block.read(type, data, at);
        float unit = Float.float16ToFloat(block.unit());
        float offsetUnit = Float.float16ToFloat(block.offsetUnit());
        float direction = type.groups() == 1 ? offsetUnit : -offsetUnit;
        for (int index = 0; index < type.block(); index++) {
            int group = index / type.group();
            float scale = unit * block.scale(group);
            float level = block.levels()[index];
            into[index] =
                    type.offsets()
                            ? Math.fma(scale, level, direction * block.offset(group))
                            : scale * level;
        }
    }

    private void fours(long at, float[] into) {
        float scale = power(Byte.toUnsignedInt(data.get(ValueLayout.JAVA_BYTE, at)));
        for (int index = 0; index < 16; index++) {
            int both = Byte.toUnsignedInt(data.get(ValueLayout.JAVA_BYTE, at + 1 + index));
            into[index] = FP4[both & NIBBLE] * scale;
            into[index + 16] = FP4[both >> 4] * scale;
        }
    }

    /// Half of two to the power of an exponent of eight bits.
    private static float power(int exponent) {
        return Float.intBitsToFloat(exponent < 2 ? 0x00200000 << exponent : exponent - 1 << 23);
    }
}
