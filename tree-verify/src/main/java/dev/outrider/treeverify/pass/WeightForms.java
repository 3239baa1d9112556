package dev.outrider.treeverify.pass;

import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.checkpoint.FileMatrix.BlockMatrix;
import dev.outrider.nn.checkpoint.GroupedMatrix;
import dev.outrider.nn.checkpoint.GroupedMatrix.Kind;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;

/// The forms of a decoder's matrices on a device: a form of [QuantizedLayout], or the bits of floats, 32 or 16.
@FunctionalInterface
public interface WeightForms {
    /// Returns the form of a matrix.
    int of(Weight weight, int layer);

    /// Returns one form for all matrices. With levels, an embedding that is not also the head has another form.
    static WeightForms of(WeightFormat format, boolean tiedHead) {
        int form =
                format.rounds()
                        ? QuantizedLayout.form(rounded(format)).orElseThrow()
                        : format.bits();
        return (weight, _) ->
                weight == Weight.EMBEDDING && !tiedHead && format.rounds() ? Short.SIZE : form;
    }

    /// Returns the blocks that a format rounds to.
    static GgufType rounded(WeightFormat format) {
        return format == WeightFormat.INT8 ? GgufType.Q8_0 : GgufType.Q4_0;
    }

    /// Returns forms that hold the numbers of a file: blocks of GGUF, MXFP4, and eight-bit floats with a scale for 128 columns
    /// or more; 32-bit floats for other weights. They are remembered, because each expert's matrix asks for those of all.
    /// Thread-safe.
    static WeightForms ofFile(WeightSource source) {
        var known = new ConcurrentHashMap<Map.Entry<Weight, Integer>, Integer>();
        return (weight, layer) ->
                known.computeIfAbsent(
                        Map.entry(weight, layer),
                        _ ->
                                source.stored(weight, layer, Precision.F32)
                                        .map(WeightForms::of)
                                        .orElse(Float.SIZE));
    }

    private static int of(FileMatrix matrix) {
        return switch (matrix) {
            case BlockMatrix blocks when blocks.type() == TensorType.F16 -> Short.SIZE;
            case BlockMatrix blocks ->
                    blocks.type()
                            .blocks()
                            .map(QuantizedLayout::form)
                            .orElseGet(OptionalInt::empty)
                            .orElse(Float.SIZE);
            case GroupedMatrix groups when groups.kind() == Kind.E4M3 && groups.block() == 128 ->
                    QuantizedLayout.E4M3;
            case GroupedMatrix groups when groups.kind() == Kind.E2M1 ->
                    QuantizedLayout.form(GgufType.MXFP4).orElseThrow();
            default -> Float.SIZE;
        };
    }
}
