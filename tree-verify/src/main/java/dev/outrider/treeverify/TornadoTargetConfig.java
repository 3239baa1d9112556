package dev.outrider.treeverify;

import dev.outrider.common.Require;
import dev.outrider.nn.network.BlockForm.NormPlace;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig.CapturedNorm;
import dev.outrider.nn.network.FusionConfig.Join;
import dev.outrider.nn.network.FusionConfig.Switch;
import dev.outrider.nn.network.Part;
import dev.outrider.nn.network.Positions;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.treeverify.DeviceCode.DeviceInfo;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Optional;

/// Configuration of the target `tornado`.
@Doc(
        "A decoder checkpoint in the Hugging Face layout or a GGUF file, run on a GPU through TornadoVM.")
public record TornadoTargetConfig(
        @Doc("Folder of the checkpoint: config.json, safetensors, tokenizer.json; or a GGUF file.")
                Path path,
        @Doc(
                        "Number format of the weight matrices on the device: file (GGUF's and FP8 as they are, f32 for others);"
                                + " f32; f16; int8 or int4 (8 or 4 bits and a scale for every 32 numbers), rounded. Everything else is f32.")
                @Default("file")
                WeightFormat precision,
        @Doc("Which device, as 'outrider doctor' numbers them.") @Default("0") int device,
        @Doc(
                        "Most rows of one run of the device, a multiple of 4: drafted nodes and the root. Longer prompts are"
                                + " prefilled in chunks of it.")
                @Default("64")
                int rows,
        @Doc(
                        "Cache rows that all sequences share; twice the longest sequence, at most 8192, when it is not given.")
                Optional<Integer> cacheRows,
        @Doc("Longest sequence, at least 1; the checkpoint's own limit when it is not given.")
                Optional<Integer> maxPositions,
        @Doc("Replay of passes as CUDA graphs: auto (where there are any), on, off.")
                @Default("auto")
                CudaGraphs cudaGraphs,
        @Doc("How reports call the target; the folder's name when it is not given.")
                Optional<String> name) {
    /// Maximum rows of one run: a node has a mask of its ancestors with a fixed number of words.
    public static final int MAX_ROWS = 256;

    /// Maximum rows of a draft model's run: a level of a draft tree, or a piece of the prompt.
    public static final int DRAFT_ROWS = 16;

    /// Default maximum of cache rows, and of a sequence's.
    public static final int USUAL_CACHE_ROWS = 8192;

    /// Rows of guesses of a draft model's sequence, beside those of its text: as many as a mask has bits.
    public static final int GUESSES = 512;

    /// Maximum draft layers of a drafter: with them, its program is one task graph.
    private static final int MAX_LAYERS = 6;

    /// Maximum rows of a draft layer's run; for blocks a multiple of it. Each run copies the features of so many rows to the device.
    public static final int LAYER_ROWS = 8;

    public TornadoTargetConfig {
        Require.that(device >= 0, "'device' must not be negative, got %s", device);
        Require.that(
                rows >= 4 && rows <= MAX_ROWS && rows % 4 == 0,
                "'rows' must be a multiple of 4 from 4 to %d, got %d",
                MAX_ROWS,
                rows);
        cacheRows.ifPresent(count -> requirePositive("cacheRows", count));
        maxPositions.ifPresent(count -> requirePositive("maxPositions", count));
    }

    /// Returns the default number of cache rows: those of two of the longest sequences, but at most [#USUAL_CACHE_ROWS], and
    /// their guesses.
    ///
    /// @param guesses rows of guesses of a sequence, which a target's sequences have among their rows
    public static int usualCacheRows(int maxPositions, int guesses) {
        return (int) Math.min(2L * maxPositions, USUAL_CACHE_ROWS) + 2 * guesses;
    }

    /// Returns the same configuration with another checkpoint.
    TornadoTargetConfig at(Path other) {
        return new TornadoTargetConfig(
                other, precision, device, rows, cacheRows, maxPositions, cudaGraphs, name);
    }

    /// Refuses a decoder that the device's program does not compute.
    ///
    /// @param what path of the decoder's checkpoint, or name of the draft layer
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED`
    public static void requireForm(Object what, DecoderConfig decoder) {
        var form = decoder.form();
        var missing = new LinkedHashMap<String, Boolean>();
        missing.put("attention to a source", decoder.part() != Part.DECODER);
        var experts = form.feedForward().experts();
        missing.put(
                "experts without a norm before them",
                experts.isPresent() && !form.norms().place().reads());
        missing.put("biases of distances", form.positions() instanceof Positions.Relative);
        missing.put("norms of the stream behind blocks", form.norms().place() == NormPlace.AFTER);
        missing.put("a norm of the embedding", form.norms().embedding());
        missing.put("a stack without a last norm", !form.norms().last());
        missing.put("a bias of the head", form.scales().headBias());
        missing.put("heads of an odd size", decoder.headSize() % 2 != 0);
        decoder.fusion()
                .ifPresent(fusion -> {
                    missing.put(
                            "windows over a context",
                            fusion.join() == Join.CONTEXT && decoder.slidingWindow().isPresent());
                    missing.put(
                            "a context without a norm",
                            fusion.join() == Join.CONTEXT && !fusion.has(Switch.FEATURE_NORM));
                    missing.put("rows without an embedding", fusion.join() == Join.FEATURE_ALONE);
                    missing.put("gated queries", fusion.has(Switch.GATED_QUERIES));
                    missing.put(
                            "norms of each captured state",
                            fusion.capturedNorm() == CapturedNorm.EACH);
                    missing.put("more layers than " + MAX_LAYERS, decoder.layers() > MAX_LAYERS);
                });
        missing.values().removeIf(present -> !present);
        if (!missing.isEmpty()) {
            throw unsupported(what, String.join(", ", missing.keySet()));
        }
    }

    /// Returns the error for what the device's program does not compute.
    public static OutriderException unsupported(Object what, String missing) {
        return new OutriderException(
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                "'%s' needs what no kernel of the device computes: %s".formatted(what, missing),
                "Use the back end 'vector'.");
    }

    private static void requirePositive(String key, int value) {
        Require.that(value >= 1, "'%s' must be at least 1, got %d", key, value);
    }

    /// Whether a pass is recorded once as a CUDA graph and then replayed, which needs one call of the driver per pass instead of
    /// one per kernel. Only NVIDIA's back ends have CUDA graphs.
    public enum CudaGraphs {
        /// Replays passes if the back end has CUDA graphs.
        AUTO,

        /// As [#AUTO], with a message if the back end has none.
        ON,

        /// Never replays passes.
        OFF;

        private static final String WITHOUT = "OPENCL";

        /// Returns whether passes are replayed.
        ///
        /// @param device the device that runs them
        public boolean replayOn(DeviceInfo device) {
            return this != OFF && !device.backend().equals(WITHOUT);
        }

        /// Returns whether CUDA graphs were requested but the device has none.
        ///
        /// @param device the device that runs the passes
        public boolean ignoredOn(DeviceInfo device) {
            return this == ON && !replayOn(device);
        }
    }

    /// Number formats of weight matrices on a device. Norms, biases, the cache and all computed numbers are 32-bit floats.
    public enum WeightFormat {
        /// 32-bit floats.
        F32(32),

        /// 16 bits, as [dev.outrider.treeverify.pass.HalfMatrix] packs them.
        F16(16),

        /// Rounded to 8 bits and a scale for every 32 numbers, as [dev.outrider.treeverify.pass.QuantizedLayout] packs them.
        INT8(8),

        /// Rounded to 4 bits and a scale for every 32 numbers.
        INT4(4),

        /// Each matrix in its format in a GGUF file, and eight-bit floats; 32-bit floats for other checkpoints.
        FILE(32);

        private final int bits;

        WeightFormat(int bits) {
            this.bits = bits;
        }

        /// Returns the bits of a number, without scales; for [#FILE] the maximum.
        public int bits() {
            return bits;
        }

        /// Returns whether numbers are rounded to levels with scales.
        public boolean rounds() {
            return bits < Short.SIZE;
        }
    }
}
