package dev.outrider.treeverify.pass;

import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.gguf.GgufWriter;
import dev.outrider.nn.network.DecoderConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.SplittableRandom;

/// GGUF files of random levels and scales.
public final class LevelFiles {
    private LevelFiles() {}

    /// A decoder of Llama's form whose rows fill whole blocks, but not a whole tile of a kernel.
    public static DecoderConfig config(boolean tied) {
        return DecoderConfig.builder()
                .vocabularySize(53)
                .hiddenSize(96)
                .intermediateSize(160)
                .layers(2)
                .heads(4)
                .keyValueHeads(2)
                .headSize(24)
                .maxPositions(96)
                .tiedHead(tied)
                .firstWindowLayer(2)
                .build();
    }

    /// Writes a decoder of [#config].
    ///
    /// @param type of its matrices: Q8_0 or Q4_0
    /// @param head of its head, or of its embedding where that is the head
    public static Path write(Path file, boolean tied, GgufType type, GgufType head)
            throws IOException {
        var random = new SplittableRandom(type.ordinal());
        var writer = new GgufWriter().text("general.architecture", "llama");
        matrix(writer, random, "token_embd", tied ? head : type, 53, 96);
        norm(writer, random, "output_norm");
        if (!tied) {
            matrix(writer, random, "output", head, 53, 96);
        }
        for (int layer = 0; layer < 2; layer++) {
            var start = "blk.%d.".formatted(layer);
            norm(writer, random, start + "attn_norm");
            matrix(writer, random, start + "attn_q", type, 96, 96);
            matrix(writer, random, start + "attn_k", type, 48, 96);
            matrix(writer, random, start + "attn_v", type, 48, 96);
            matrix(writer, random, start + "attn_output", type, 96, 96);
            norm(writer, random, start + "ffn_norm");
            matrix(writer, random, start + "ffn_gate", type, 160, 96);
            matrix(writer, random, start + "ffn_up", type, 160, 96);
            matrix(writer, random, start + "ffn_down", type, 96, 160);
        }
        return writer.write(file);
    }

    private static void norm(GgufWriter writer, SplittableRandom random, String name) {
        var numbers = new float[96];
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] = (float) (1 + 0.1 * random.nextGaussian());
        }
        writer.floats(name + ".weight", numbers, numbers.length);
    }

    /// All levels, those that no rounding makes among them, and numbers of a deviation of about 0.1.
    private static void matrix(
            GgufWriter writer,
            SplittableRandom random,
            String name,
            GgufType type,
            int rows,
            int columns) {
        int blocks = rows * columns / type.block();
        var data = ByteBuffer.allocate(blocks * type.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        double scale = type == GgufType.Q8_0 ? 0.0014 : 0.022;
        for (int block = 0; block < blocks; block++) {
            double sign = type == GgufType.Q4_0 && random.nextBoolean() ? -1 : 1;
            float drawn = (float) (sign * scale * (0.5 + random.nextDouble()));
            data.putShort(Float.floatToFloat16(drawn));
            var codes = new byte[type.bytes() - Short.BYTES];
            random.nextBytes(codes);
            data.put(codes);
        }
        writer.tensor(name + ".weight", type, data.array(), rows, columns);
    }
}
