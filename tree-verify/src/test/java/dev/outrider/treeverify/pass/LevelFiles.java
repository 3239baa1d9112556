package dev.outrider.treeverify.pass;

import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.gguf.GgufWriter;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Experts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// Writes GGUF files of random levels and scales.
public final class LevelFiles {
    private LevelFiles() {}

    /// Returns a decoder of Llama's form whose rows fill whole blocks of 32, but not a whole tile of a kernel.
    public static DecoderConfig config(boolean tied) {
        return config(tied, 53, 96, 160, 24);
    }

    /// Returns a decoder whose rows fill whole blocks of 256.
    public static DecoderConfig wide(boolean tied) {
        return config(tied, 53, 256, 512, 64);
    }

    /// Returns a decoder with experts whose rows fill whole blocks of 256.
    public static DecoderConfig mixture() {
        return wide(false).toBuilder().form(BlockForm.mixture(new Experts(5, 2, 256))).build();
    }

    private static DecoderConfig config(
            boolean tied, int vocabulary, int hidden, int inner, int headSize) {
        return DecoderConfig.builder()
                .vocabularySize(vocabulary)
                .hiddenSize(hidden)
                .intermediateSize(inner)
                .layers(2)
                .heads(4)
                .keyValueHeads(2)
                .headSize(headSize)
                .maxPositions(96)
                .tiedHead(tied)
                .firstWindowLayer(2)
                .build();
    }

    /// Writes a decoder of [#config] in two formats.
    ///
    /// @param head format of its head, or of its embedding if the head is tied
    public static Path write(Path file, boolean tied, GgufType type, GgufType head)
            throws IOException {
        return write(
                file,
                config(tied),
                name -> name.equals(tied ? "token_embd" : "output") ? head : type);
    }

    /// Writes a decoder.
    ///
    /// @param types formats of its matrices by the names of tensors without `.weight`
    public static Path write(Path file, DecoderConfig config, Function<String, GgufType> types)
            throws IOException {
        var random = new SplittableRandom(config.hiddenSize());
        var writer = new GgufWriter().text("general.architecture", "llama");
        int hidden = config.hiddenSize();
        int keys = config.keyValueHeads() * config.headSize();
        var shapes = new LinkedHashMap<String, int[]>();
        shapes.put("token_embd", new int[] {config.vocabularySize(), hidden});
        shapes.put("output_norm", new int[] {hidden});
        if (!config.tiedHead()) {
            shapes.put("output", new int[] {config.vocabularySize(), hidden});
        }
        for (int layer = 0; layer < config.layers(); layer++) {
            var start = "blk.%d.".formatted(layer);
            shapes.put(start + "attn_norm", new int[] {hidden});
            shapes.put(start + "attn_q", new int[] {hidden, hidden});
            shapes.put(start + "attn_k", new int[] {keys, hidden});
            shapes.put(start + "attn_v", new int[] {keys, hidden});
            shapes.put(start + "attn_output", new int[] {hidden, hidden});
            shapes.put(start + "ffn_norm", new int[] {hidden});
            var experts = config.form().feedForward().experts();
            int inner = experts.map(Experts::intermediateSize).orElse(config.intermediateSize());
            int[] count = experts.stream().mapToInt(Experts::count).toArray();
            var some = experts.isPresent() ? "_exps" : "";
            if (experts.isPresent()) {
                shapes.put(start + "ffn_gate_inp", new int[] {count[0], hidden});
            }
            shapes.put(start + "ffn_gate" + some, shape(count, inner, hidden));
            shapes.put(start + "ffn_up" + some, shape(count, inner, hidden));
            shapes.put(start + "ffn_down" + some, shape(count, hidden, inner));
        }
        shapes.forEach((name, shape) -> {
            int elements = IntStream.of(shape).reduce(1, Math::multiplyExact);
            long[] sizes = IntStream.of(shape).asLongStream().toArray();
            if (shape.length == 1) {
                floats(writer, random, name, 1, 0.1, sizes);
                return;
            }
            if (name.endsWith("ffn_gate_inp")) {
                floats(writer, random, name, 0, 1, sizes);
                return;
            }
            var type = types.apply(name);
            // Formats without scales get random bits, which are not read.
            var data =
                    RandomBlocks.of(type, elements / type.block(), 1 / Math.sqrt(hidden), random);
            writer.tensor(name + ".weight", type, data, sizes);
        });
        return writer.write(file);
    }

    private static int[] shape(int[] before, int rows, int size) {
        return IntStream.concat(IntStream.of(before), IntStream.of(rows, size)).toArray();
    }

    private static void floats(
            GgufWriter writer,
            SplittableRandom random,
            String name,
            double mean,
            double deviation,
            long... shape) {
        var numbers = new float[(int) LongStream.of(shape).reduce(1, Math::multiplyExact)];
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] = (float) (mean + deviation * random.nextGaussian());
        }
        writer.floats(name + ".weight", numbers, shape);
    }
}
