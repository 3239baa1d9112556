package dev.outrider.torch;

import dev.outrider.common.Require;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.NativeMemory;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.nn.target.LoadedDecoder;
import dev.outrider.nn.target.PassThreads;
import dev.outrider.nn.target.TargetModels;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The target `djl`: a decoder of Llama's form that runs in PyTorch. Thread-safe.
public final class DjlTarget implements TargetModel.Factory<DjlTarget.Config> {
    /// Configuration of the target `djl`.
    @Doc(
            "A checkpoint of Llama's form in the Hugging Face layout, dense or with Mixtral's experts, run on the processor by PyTorch.")
    public record Config(
            @Doc("Folder of the checkpoint: config.json, safetensors, tokenizer.json.") Path path,
            @Doc(
                            "Number format of the matrices: f32 or bf16. bf16 halves the memory read per pass.")
                    @Default("f32")
                    Precision precision,
            @Doc(
                            "Threads of one operation in this process, at least 1; the engine's choice when it is not given.")
                    Optional<Integer> threads,
            @Doc("Longest sequence, at least 1; the checkpoint's own limit when it is not given.")
                    Optional<Integer> maxPositions,
            @Doc("How reports call the target; the folder's name when it is not given.")
                    Optional<String> name) {
        public Config {
            Require.that(
                    precision == Precision.F32 || precision == Precision.BF16,
                    "'precision' is %s, which the target 'djl' does not have; expected f32 or bf16",
                    precision.name().toLowerCase(Locale.ROOT));
            threads.ifPresent(count -> TargetModels.requirePositive("threads", count));
            maxPositions.ifPresent(count -> TargetModels.requirePositive("maxPositions", count));
        }
    }

    /// Adds the target.
    public static final class Plugin implements OutriderPlugin {
        @Override
        public int spiVersion() {
            return SPI_VERSION;
        }

        @Override
        public List<TargetModel.Factory<?>> targets() {
            return List.of(new DjlTarget());
        }
    }

    @Override
    public String name() {
        return "djl";
    }

    @Override
    public Class<Config> configType() {
        return Config.class;
    }

    @Override
    public TargetModel open(Config config) {
        config.threads().ifPresent(PassThreads::use);
        var directory = ModelPaths.open(config.path());
        var loaded = load(directory, config.precision(), config.maxPositions());
        return TargetModels.of(
                config.name(),
                "djl/" + config.precision().name().toLowerCase(Locale.ROOT),
                loaded,
                directory.path());
    }

    /// Loads a checkpoint.
    ///
    /// @param maxPositions longest sequence that is wanted, if it is shorter than the checkpoint's own limit
    /// @throws OutriderException if files are missing, broken or of an architecture that the target does not support, or memory does
    ///                           not suffice
    static LoadedDecoder load(
            Checkpoint directory, Precision precision, Optional<Integer> maxPositions) {
        return LoadedDecoder.load(
                directory,
                maxPositions,
                NativeMemory::availableBytes,
                (decoder, encoder) -> {
                    var config = decoder.config();
                    require(directory, config, encoder.isPresent());
                    return new LoadedDecoder.Plan(
                            DecoderMemory.of(config, precision),
                            () -> new TorchNetwork(config, decoder.weights(), precision),
                            VectorNetwork.cacheBytesPerRow(config));
                });
    }

    /// Checks that the target runs a model.
    ///
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if it does not
    public static void require(Checkpoint directory, ModelConfig model) {
        require(directory, model.decoder(), model.encoder().isPresent());
    }

    private static void require(Checkpoint directory, DecoderConfig decoder, boolean encoder) {
        if (encoder || !TorchDecoder.computes(decoder)) {
            throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                    "'%s' is a model that the target 'djl' does not run; expected a decoder of Llama's form, dense or with Mixtral's experts"
                            .formatted(directory.path()),
                    "Use the target 'vector', which runs every family.");
        }
    }
}
