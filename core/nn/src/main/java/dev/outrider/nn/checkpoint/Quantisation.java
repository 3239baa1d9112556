package dev.outrider.nn.checkpoint;

import java.util.Optional;

/// How linear weights are kept in few bits, as `config.json` says.
///
/// @param layout of the tensors
/// @param bits   of a level
/// @param rows   of a weight that have the same scale; [#ALL] where all have
/// @param group  columns that have the same scale; [#ALL] where all have
/// @param zeros  whether groups have a level that stands for 0; the middle one does otherwise
public record Quantisation(Layout layout, int bits, int rows, int group, boolean zeros) {
    /// All rows, or all columns.
    public static final int ALL = Integer.MAX_VALUE;

    /// Where levels, scales and zeros are.
    ///
    /// @see "compressed-tensors, formats pack-quantized, int-quantized, float-quantized; Frantar et al. 2022 (GPTQ) and AutoGPTQ's files;
    ///     Lin et al. 2023 (AWQ) and AutoAWQ's files, version GEMM; DeepSeek-AI 2024 (DeepSeek-V3), section 3.3; Open Compute Project 2023, microscaling formats"
    public enum Layout {
        /// Integers in words along the rows.
        PACKED,
        /// Integers of 8 bits.
        INTEGERS,
        /// Floats of 8 bits, four of the exponent and three of the fraction, with scales.
        FLOATS,
        /// Floats of 8 bits whose scales are called inverse ones.
        FLOATS_INVERSE,
        /// Words along the inputs; what stands for 0 is stored less one.
        GPTQ,
        /// The same without that.
        GPTQ_V2,
        /// Words along the outputs, in an order of their own.
        AWQ,
        /// Floats of 4 bits, two of the exponent and one of the fraction, behind powers of two.
        MXFP4
    }

    /// Levels, if it is the form that Outrider writes.
    public Optional<Levels> levels() {
        boolean own = layout == Layout.PACKED && group == Levels.BLOCK && rows == 1 && !zeros;
        return own ? Levels.ofBits(bits) : Optional.empty();
    }

    /// What reports call it.
    @Override
    public String toString() {
        var name =
                switch (layout) {
                    case PACKED, INTEGERS -> "int%d".formatted(bits);
                    case FLOATS, FLOATS_INVERSE -> "fp8";
                    case GPTQ, GPTQ_V2 -> "gptq%d".formatted(bits);
                    case AWQ -> "awq%d".formatted(bits);
                    case MXFP4 -> "mxfp4";
                };
        return group == ALL || layout == Layout.MXFP4 ? name : "%s-g%d".formatted(name, group);
    }
}
