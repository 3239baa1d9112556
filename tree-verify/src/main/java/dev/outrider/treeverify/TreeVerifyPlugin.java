package dev.outrider.treeverify;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.BlockNetwork;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.HeadPart;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.nn.target.DecoderBackend;
import dev.outrider.nn.target.LoadedDecoder;
import dev.outrider.nn.target.TargetModels;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.sdk.SdkRequirement;
import java.util.List;
import java.util.Optional;

/// Adds the target `tornado`.
public final class TreeVerifyPlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<TargetModel.Factory<?>> targets() {
        return List.of(new TornadoTargetFactory());
    }

    private static DeviceCode code() {
        return SdkRequirement.ofThisProcess().service(DeviceCode.class);
    }

    /// Opens the target `tornado`. Thread-safe.
    public static final class TornadoTargetFactory
            implements TargetModel.Factory<TornadoTargetConfig> {
        @Override
        public String name() {
            return "tornado";
        }

        @Override
        public Class<TornadoTargetConfig> configType() {
            return TornadoTargetConfig.class;
        }

        @Override
        public TargetModel open(TornadoTargetConfig config) {
            var code = code();
            var directory = ModelPaths.open(config.path());
            var loaded = code.load(config.at(directory.path()), 0);
            var backend =
                    "tornado/%s/%s"
                            .formatted(
                                    code.devices().get(config.device()).backend(),
                                    loaded.network()
                                            .capability(DeviceCode.Formatted.class)
                                            .orElseThrow()
                                            .formats());
            return TargetModels.of(config.name(), backend, loaded, directory.path());
        }
    }

    /// Runs drafters' own models on device 0. Thread-safe.
    public static final class TornadoDecoders implements DecoderBackend {
        @Override
        public String name() {
            return "tornado";
        }

        @Override
        public LoadedDecoder load(Checkpoint directory, Optional<Precision> precision) {
            return code().load(
                            new TornadoTargetConfig(
                                    directory.path(),
                                    format(precision),
                                    0,
                                    TornadoTargetConfig.DRAFT_ROWS,
                                    Optional.empty(),
                                    Optional.empty(),
                                    CudaGraphs.AUTO,
                                    Optional.empty()),
                            TornadoTargetConfig.GUESSES);
        }

        @Override
        public BlockNetwork load(
                String drafter,
                DecoderConfig config,
                WeightSource weights,
                Optional<Precision> precision,
                int block) {
            return code().loadLayer(drafter, config, weights, format(precision), block);
        }

        @Override
        public HeadPart load(
                String drafter, HeadPart.Weights weights, Optional<Precision> precision) {
            return code().loadHead(drafter, weights, format(precision));
        }

        private static WeightFormat format(Optional<Precision> precision) {
            return precision
                    .map(each -> WeightFormat.valueOf(each.name()))
                    .orElse(WeightFormat.FILE);
        }
    }
}
