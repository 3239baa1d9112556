package dev.outrider.nn.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.gguf.GgufWriter;
import dev.outrider.nn.network.BlockWeights;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A file with any byte of its header changed, or cut off anywhere, is a model or gets a coded error; nothing is allocated by what it
/// says.
class GgufMutationTest {
    private static final boolean EVERY_FLIP = Boolean.getBoolean("outrider.nightly");
    private static final int[] FLIPS = {0x01, 0x40, 0x80, 0xff};

    @TempDir Path directory;

    @Test
    void changedBytesAreAModelOrACodedError() throws IOException {
        var file = model();
        byte[] whole = bytes(file);
        int header = file.header().length;
        int models = 0;
        int tried = 0;
        for (int at = 0; at < header; at++) {
            for (int kind = 0; kind < (EVERY_FLIP ? FLIPS.length : 1); kind++) {
                int flip = FLIPS[(at + kind) % FLIPS.length];
                tried++;
                var changed = whole.clone();
                changed[at] ^= (byte) flip;
                models += read(changed) ? 1 : 0;
            }
        }
        assertThat(read(whole)).isTrue();
        assertThat(models).isPositive().isLessThan(tried);
    }

    @Test
    void aFileThatIsCutOffIsNoModel() throws IOException {
        byte[] whole = bytes(model());
        for (int length = 0; length < whole.length - 32; length += 7) {
            assertThat(read(Arrays.copyOf(whole, length))).as("%d bytes", length).isFalse();
        }
    }

    private static GgufWriter model() {
        return new GgufWriter()
                .text("general.architecture", "llama")
                .number("general.alignment", 32)
                .number("llama.context_length", 8)
                .number("llama.embedding_length", 4)
                .number("llama.block_count", 1)
                .number("llama.feed_forward_length", 2)
                .number("llama.attention.head_count", 2)
                .number("llama.attention.head_count_kv", 1)
                .number("llama.rope.dimension_count", 2)
                .real("llama.rope.freq_base", 10_000)
                .real("llama.attention.layer_norm_rms_epsilon", 1e-5f)
                .numbers("tokenizer.ggml.token_type", List.of(3, 1, 1))
                .number("tokenizer.ggml.bos_token_id", 0)
                .floats("token_embd.weight", new float[12], 3, 4)
                .floats("output_norm.weight", new float[4], 4)
                .floats("blk.0.attn_norm.weight", new float[4], 4)
                .floats("blk.0.attn_q.weight", new float[16], 4, 4)
                .floats("blk.0.attn_k.weight", new float[8], 2, 4)
                .floats("blk.0.attn_v.weight", new float[8], 2, 4)
                .floats("blk.0.attn_output.weight", new float[16], 4, 4)
                .floats("blk.0.ffn_norm.weight", new float[4], 4)
                .floats("blk.0.ffn_gate.weight", new float[8], 2, 4)
                .floats("blk.0.ffn_up.weight", new float[8], 2, 4)
                .floats("blk.0.ffn_down.weight", new float[8], 4, 2)
                .floats("rope_freqs.weight", new float[] {1}, 1);
    }

    private byte[] bytes(GgufWriter file) throws IOException {
        return Files.readAllBytes(file.write(directory.resolve("whole.gguf")));
    }

    /// Everything that is read before memory is asked for.
    private boolean read(byte[] bytes) throws IOException {
        var directoryOf = new Checkpoint(Files.write(directory.resolve("x.gguf"), bytes));
        try {
            var config = ModelConfig.read(directoryOf).decoder();
            try (var tensors = directoryOf.openTensors()) {
                var weights = new BlockWeights(new CheckpointWeights(config, tensors));
                return DecoderMemory.of(config, weights, VectorNetwork::bits).weights() > 0;
            }
        } catch (OutriderException e) {
            assertThat(e.code()).isNotNull();
            return false;
        }
    }
}
