package dev.outrider.treeverify.pass;

import dev.outrider.nn.checkpoint.FileMatrix.BlockMatrix;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// Reads matrices in the forms of a shape: as floats, or packed by [QuantizedLayout]. Packed levels are those of the file, or are
/// rounded as the back end `vector` rounds them. Thread-safe.
record QuantizedSource(ProgramShape shape, WeightSource source) implements WeightSource {
    @Override
    public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
        int form = shape.form(weight, layer);
        if (QuantizedLayout.bits(form) >= Short.SIZE) {
            source.read(weight, layer, reader);
            return;
        }
        if (!shape.format().rounds()) {
            var matrix = source.stored(weight, layer, Precision.F32).orElseThrow();
            var type =
                    matrix instanceof BlockMatrix blocks
                            ? blocks.type().blocks().orElseThrow()
                            : GgufType.MXFP4;
            pack(weight, layer, type, matrix::read, reader);
            return;
        }
        int size = (int) weight.shape(shape.config(), layer)[1];
        source.read(
                weight,
                layer,
                floats ->
                        pack(
                                weight,
                                layer,
                                WeightForms.rounded(shape.format()),
                                rounded(what(weight, layer), shape.format(), form, floats, size),
                                reader));
    }

    /// Returns blocks of floats, rounded to a format's levels.
    ///
    /// @param what the matrix's name in errors
    static QuantizedLayout.Blocks rounded(
            String what, WeightFormat format, int form, MemorySegment floats, int size) {
        var levels = Levels.ofBits(format.bits()).orElseThrow();
        Precision.of(levels).requireRoom(floats, what);
        return QuantizedLayout.rounded(levels, form, floats, size);
    }

    private void pack(
            Weight weight,
            int layer,
            GgufType type,
            QuantizedLayout.Blocks blocks,
            Consumer<MemorySegment> reader) {
        long[] sizes = weight.shape(shape.config(), layer);
        int rows = (int) sizes[0];
        int size = (int) sizes[1];
        int form = shape.form(weight, layer);
        try (var arena = Arena.ofConfined()) {
            var words =
                    arena.allocate(sizes[0] * QuantizedLayout.words(form, size) * Integer.BYTES, 4);
            QuantizedLayout.pack(what(weight, layer), form, type, rows, size, blocks, words);
            reader.accept(words);
        }
    }

    private static String what(Weight weight, int layer) {
        return "%s of layer %d".formatted(weight, layer);
    }
}
