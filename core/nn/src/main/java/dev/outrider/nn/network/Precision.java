package dev.outrider.nn.network;

import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// The number format of a matrix. Rows that it multiplies are 32-bit floats, unless the format says otherwise.
///
/// @see "Dettmers et al. 2022 (LLM.int8()), on scales; the blocks of 32 are those of GGUF's Q8_0 and Q4_0"
public enum Precision {
    F32(32),
    BF16(16),
    F16(16),
    /// Eight bits and a 16-bit scale for every 32 numbers of an output.
    INT8(8.5),
    /// Four bits and a 16-bit scale for every 32 numbers of an output.
    INT4(4.5),
    /// Eight bits and a scale for every output; rows are also rounded to eight bits with one scale each.
    W8A8(8);

    private static final int BLOCK = 8192;

    private final double bits;

    Precision(double bits) {
        this.bits = bits;
    }

    /// Returns the format of a checkpoint's matrices that are not in levels: 16 bits if all are, otherwise 32. Vectors, such as the
    /// weights of norms, are often in 32 bits although matrices are in 16.
    ///
    /// @param weights names of the tensors that weights are read from
    public static Precision of(CheckpointTensors tensors, Set<String> weights) {
        var types =
                weights.stream()
                        .map(tensors::tensor)
                        .filter(tensor -> tensor.shape().size() > 1)
                        .map(StoredTensor::type)
                        .filter(TensorType::isFloat)
                        .collect(Collectors.toSet());
        if (types.equals(Set.of(TensorType.BF16))) {
            return BF16;
        }
        return types.equals(Set.of(TensorType.F16)) ? F16 : F32;
    }

    /// Returns the precision of matrices in levels.
    public static Precision of(Levels levels) {
        return switch (levels) {
            case EIGHT_BITS -> INT8;
            case FOUR_BITS -> INT4;
        };
    }

    /// Returns whether matrices are kept in the 16-bit numbers of a tensor, bit by bit.
    boolean isHalvesOf(TensorType type) {
        return switch (this) {
            case BF16 -> type == TensorType.BF16;
            case F16 -> type == TensorType.F16;
            case F32, INT8, INT4, W8A8 -> false;
        };
    }

    /// Refuses numbers that are not finite, or would not be finite in this format: such a number would spread to rows that do not
    /// see it.
    ///
    /// @param numbers 32-bit floats in native byte order
    /// @param what    name of the weight
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED`
    public void requireRoom(MemorySegment numbers, String what) {
        requireRoom(numbers, 0, what);
    }

    /// Requires that the format can hold some of a weight's numbers.
    ///
    /// @param first index in the weight of the first of these numbers
    public void requireRoom(MemorySegment numbers, long first, String what) {
        float most =
                switch (this) {
                    case F32, W8A8 -> Float.MAX_VALUE;
                    case BF16 -> 0x1.fep127f;
                    case F16 -> 65504;
                    case INT8 -> Levels.EIGHT_BITS.most();
                    case INT4 -> Levels.FOUR_BITS.most();
                };
        long count = numbers.byteSize() / Float.BYTES;
        // Reading arrays is several times as fast.
        var block = new float[(int) Math.min(BLOCK, count)];
        for (long start = 0; start < count; start += BLOCK) {
            int length = (int) Math.min(BLOCK, count - start);
            long at = start * Float.BYTES;
            MemorySegment.copy(numbers, ValueLayout.JAVA_FLOAT, at, block, 0, length);
            float greatest = 0;
            for (int index = 0; index < length; index++) {
                greatest = Math.max(greatest, Math.abs(block[index])); // NaN if any is
            }
            if (!(greatest <= most)) {
                throw noRoom(block, most, first + start, what);
            }
        }
    }

    private OutriderException noRoom(float[] numbers, float most, long first, String what) {
        int index = 0;
        while (Math.abs(numbers[index]) <= most) {
            index++;
        }
        return ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                "number %d of weight %s is %s; expected at most %s for precision %s"
                        .formatted(
                                first + index,
                                what,
                                numbers[index],
                                most,
                                name().toLowerCase(Locale.ROOT)),
                "Use a checkpoint whose weights are numbers, or a precision with more room.");
    }

    /// Bits a weight takes, scales included.
    public double bits() {
        return bits;
    }
}
