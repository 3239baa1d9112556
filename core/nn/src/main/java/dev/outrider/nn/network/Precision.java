package dev.outrider.nn.network;

import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// How the numbers of a matrix are kept. Rows that are multiplied by it are 32-bit floats.
///
/// @see "Dettmers et al. 2022 (LLM.int8()), on scales; the blocks of 32 are those of GGUF's Q8_0 and Q4_0"
public enum Precision {
    F32(32),
    BF16(16),
    F16(16),
    /// Eight bits and a 16-bit scale for every 32 numbers of an output.
    INT8(8.5),
    /// Four bits and a 16-bit scale for every 32 numbers of an output.
    INT4(4.5);

    private final double bits;

    Precision(double bits) {
        this.bits = bits;
    }

    /// How a checkpoint has its numbers: in 16 bits if all are, else in 32.
    ///
    /// @param weights names of the tensors that weights are made of
    public static Precision of(CheckpointTensors tensors, Set<String> weights) {
        var types =
                weights.stream()
                        .map(name -> tensors.tensor(name).type())
                        .filter(TensorType::isFloat)
                        .collect(Collectors.toSet());
        if (types.equals(Set.of(TensorType.BF16))) {
            return BF16;
        }
        return types.equals(Set.of(TensorType.F16)) ? F16 : F32;
    }

    /// The same number format of the tensor engine, which has two.
    ///
    /// @param owner whose precision it is, for the message
    /// @throws OutriderException `CONFIG_INVALID` if it has none
    public ElementType ofTensors(String owner) {
        return switch (this) {
            case F32 -> ElementType.F32;
            case BF16 -> ElementType.BF16;
            case F16, INT8, INT4 ->
                    throw new OutriderException(
                            ErrorCode.CONFIG_INVALID,
                            "'precision' of %s is %s, which the tensor engine does not have; expected f32 or bf16"
                                    .formatted(owner, name().toLowerCase(Locale.ROOT)),
                            "Use the back end 'vector', or another precision.");
        };
    }

    /// Bits a weight takes, scales included.
    public double bits() {
        return bits;
    }
}
