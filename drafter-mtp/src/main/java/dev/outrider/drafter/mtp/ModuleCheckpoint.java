package dev.outrider.drafter.mtp;

import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/// The modules of a checkpoint: their layout, their architecture, and the switches it was made for. Must stay open
/// while weights are loaded.
final class ModuleCheckpoint implements AutoCloseable {
    private final Path path;
    private final CheckpointTensors tensors;
    private final Layout layout;
    private final ModuleArchitecture layer;
    private final Switches switches;
    private final int modules;

    private ModuleCheckpoint(
            Path path,
            CheckpointTensors tensors,
            Layout layout,
            ModuleArchitecture layer,
            Switches switches,
            int modules) {
        this.path = path;
        this.tensors = tensors;
        this.layout = layout;
        this.layer = layer;
        this.switches = switches;
        this.modules = modules;
    }

    /// Reads configuration and names, and checks that they belong together. No weight is read yet.
    ///
    /// @param path a folder with `config.json` and safetensors: the modules alone, or the whole model with them
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` for latent attention, mixtures of experts, quantised
    ///                           weights and unknown layouts, `CHECKPOINT_INCOMPLETE` for missing tensors,
    ///                           `MODEL_CONFIG_INVALID` if the number of modules is wrong
    static ModuleCheckpoint open(Path path) {
        var directory = new Checkpoint(path);
        var config = ConfigNode.read(directory.config());
        var tensors = directory.openTensors();
        try {
            var layout = Layout.of(tensors.names()).orElseThrow(() -> noLayout(tensors));
            ForeignTensors.refuseKnownKinds(layout, tensors);
            var layer = ModuleArchitecture.read(config);
            int modules = modules(config, layout, layer, tensors);
            ForeignTensors.refuseUnread(layout, layer, modules, tensors);
            return new ModuleCheckpoint(
                    path, tensors, layout, layer, Switches.read(config, layout), modules);
        } catch (RuntimeException e) {
            tensors.close();
            throw e;
        }
    }

    /// Where it lies.
    Path path() {
        return path;
    }

    /// The layout its names are in.
    Layout layout() {
        return layout;
    }

    /// The decoder layer inside each module, and its target's number of layers.
    ModuleArchitecture layer() {
        return layer;
    }

    /// What it says about order, feed and recycling, or what its layout is known to need.
    Switches switches() {
        return switches;
    }

    /// Number of modules D.
    int modules() {
        return modules;
    }

    /// Digest of the modules' files.
    String digest() {
        return tensors.digest();
    }

    /// The architecture of a module.
    ///
    /// @param module counted from 0
    DecoderConfig architecture(int module, ConcatOrder order) {
        var names = layout.names(module, layer.targetLayers());
        var storage =
                new Layout.Storage(
                        layer.zeroCentredNorms(),
                        layer.gatedQueries(),
                        tensors.names().contains(names.embedding()),
                        tensors.names().contains(names.head()));
        return layer.decoder().fused(layout.fusion(layer.decoder(), order, storage));
    }

    /// Number of parameters of some modules, borrowed embeddings and heads left out.
    long parameters(int count, ConcatOrder order) {
        return IntStream.range(0, count)
                .mapToLong(module -> Weight.parameters(architecture(module, order)))
                .sum();
    }

    /// Loads the first modules.
    ///
    /// @param loader makes a network of a module
    /// @return the caller closes them
    /// @throws OutriderException `CHECKPOINT_INCOMPLETE` or `CHECKPOINT_SHAPE_MISMATCH`
    List<FeatureNetwork> load(
            int count,
            ConcatOrder order,
            BiFunction<DecoderConfig, WeightSource, FeatureNetwork> loader) {
        var networks = new ArrayList<FeatureNetwork>();
        try {
            for (int module = 0; module < count; module++) {
                var architecture = architecture(module, order);
                var names = layout.names(module, layer.targetLayers());
                var weights = new CheckpointWeights(architecture, tensors, names);
                networks.add(loader.apply(architecture, weights));
            }
            return networks;
        } catch (RuntimeException e) {
            networks.forEach(FeatureNetwork::close);
            throw e;
        }
    }

    @Override
    public void close() {
        tensors.close();
    }

    /// The configuration's number, which the names must bear out.
    private static int modules(
            ConfigNode config, Layout layout, ModuleArchitecture layer, CheckpointTensors tensors) {
        int stored = layout.modules(tensors.names(), layer.targetLayers());
        int wanted = layer.modules().orElse(Math.max(1, stored));
        for (int module = 0; module < wanted; module++) {
            tensors.tensor(layout.sign(module, layer.targetLayers()));
        }
        if (stored > wanted) {
            throw config.invalid(
                    "speaks of %d modules, but the files hold %d".formatted(wanted, stored));
        }
        return wanted;
    }

    private static OutriderException noLayout(CheckpointTensors tensors) {
        return new OutriderException(
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                "'%s' holds no multi-token prediction modules in a known layout; expected a tensor such as %s"
                        .formatted(tensors.source(), String.join(", ", Layout.signs())),
                "Choose a checkpoint with modules, or train some with 'outrider train mtp'.");
    }
}
