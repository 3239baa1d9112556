package dev.outrider.nn.checkpoint;

import java.util.Optional;

/// The quantisation of linear weights that `config.json` describes.
///
/// @param layout             of the tensors
/// @param bits               of a level
/// @param rows               how many rows of a weight share a scale; [#ALL] if all do
/// @param group              how many columns share a scale; [#ALL] if all do
/// @param zeros              whether groups have a zero point; otherwise the middle code is zero
/// @param groupIndexRequired whether the file must list the group of every column, because they may be in any order
public record Quantisation(
        Layout layout, int bits, int rows, int group, boolean zeros, boolean groupIndexRequired) {
    /// All rows, or all columns.
    public static final int ALL = Integer.MAX_VALUE;

    /// Layouts of levels, scales and zeros.
    ///
    /// @see "compressed-tensors, formats pack-quantized, int-quantized, float-quantized; Frantar et
    ///     al. 2022 (GPTQ) and AutoGPTQ's files; Lin et al. 2023 (AWQ) and AutoAWQ's files, version
    ///     GEMM; DeepSeek-AI 2024 (DeepSeek-V3), section 3.3; Open Compute Project 2023,
    ///     microscaling formats"
    public enum Layout {
        /// Integers packed in words along the rows.
        PACKED,
        /// 8-bit integers.
        INTEGERS,
        /// 8-bit floats, four bits of exponent and three of fraction, with scales.
        FLOATS,
        /// 8-bit floats whose scales have `inv` in their name.
        FLOATS_INVERSE,
        /// Words along the inputs; zero points are stored less one.
        GPTQ,
        /// Like `GPTQ`, with the zero points themselves.
        GPTQ_V2,
        /// Words along the outputs, in a special order.
        AWQ,
        /// 4-bit floats, two bits of exponent and one of fraction, with scales that are powers of
        /// two.
        MXFP4
    }

    /// Makes a quantisation of columns in their order.
    public Quantisation(Layout layout, int bits, int rows, int group, boolean zeros) {
        this(layout, bits, rows, group, zeros, false);
    }

    /// Returns the levels, if it is the form that Outrider writes.
    public Optional<Levels> levels() {
        boolean own = layout == Layout.PACKED && group == Levels.BLOCK && rows == 1 && !zeros;
        return own ? Levels.ofBits(bits) : Optional.empty();
    }

    /// Returns the name for reports.
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
