package dev.outrider.treeverify.pass;

import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.checkpoint.FileMatrix.BlockMatrix;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.gguf.WeightBlock;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// Gives matrices as [LevelMatrix] packs them: rounded as the back end `vector` rounds them, or a file's. Thread-safe.
///
/// @param format one of levels
record LevelSource(DecoderConfig config, WeightSource source, WeightFormat format)
        implements WeightSource {
    @Override
    public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
        long[] shape = weight.shape(config, layer);
        var what = "%s of layer %d".formatted(weight, layer);
        if (format.ofFile()) {
            var matrix = stored(weight, layer, what);
            var block = new WeightBlock();
            pack(
                    what,
                    shape,
                    (row, group, levels) -> {
                        matrix.read(row, group, block);
                        System.arraycopy(block.levels(), 0, levels, 0, levels.length);
                        return block.unit();
                    },
                    reader);
            return;
        }
        var levels = Levels.ofBits(format.bits()).orElseThrow();
        source.read(
                weight,
                layer,
                floats -> {
                    Precision.of(levels).requireRoom(floats, what);
                    pack(what, shape, LevelMatrix.rounded(levels, floats, (int) shape[1]), reader);
                });
    }

    private void pack(
            String what, long[] shape, LevelMatrix.Groups groups, Consumer<MemorySegment> reader) {
        int size = (int) shape[1];
        try (var arena = Arena.ofConfined()) {
            var words = arena.allocate(shape[0] * LevelMatrix.words(format.bits(), size) * 4, 4);
            LevelMatrix.pack(what, format.bits(), (int) shape[0], size, groups, words);
            reader.accept(words);
        }
    }

    private FileMatrix stored(Weight weight, int layer, String what) {
        var matrix = source.stored(weight, layer, Precision.F32);
        var type =
                matrix.map(each -> each instanceof BlockMatrix blocks ? blocks.type().name() : "")
                        .orElse("numbers of no GGUF file");
        return matrix.filter(_ -> type.equals(format.name()))
                .orElseThrow(() ->
                        new OutriderException(
                                ErrorCode.CHECKPOINT_UNSUPPORTED,
                                "%s is stored as %s, expected %s".formatted(what, type, format),
                                "Set target.precision to f16 or int%d, which rounds, or take a file of the model in %s."
                                        .formatted(format.bits(), format)));
    }
}
