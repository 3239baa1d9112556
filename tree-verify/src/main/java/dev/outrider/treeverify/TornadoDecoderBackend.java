package dev.outrider.treeverify;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.target.DecoderBackend;
import dev.outrider.nn.target.LoadedDecoder;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.sdk.SdkRequirement;
import java.util.Optional;

/// Runs drafters' own models on device 0. Thread-safe.
public final class TornadoDecoderBackend implements DecoderBackend {
    /// Most rows of a run: a level of a drafted tree, or a piece of the prompt.
    private static final int ROWS = 16;

    @Override
    public String name() {
        return "tornado";
    }

    @Override
    public LoadedDecoder load(Checkpoint directory) {
        var config =
                new TornadoTargetConfig(
                        directory.path(),
                        WeightFormat.F32,
                        0,
                        ROWS,
                        Optional.empty(),
                        Optional.empty(),
                        CudaGraphs.AUTO,
                        Optional.empty());
        return SdkRequirement.ofThisProcess().service(DeviceTargets.class).load(config);
    }
}
