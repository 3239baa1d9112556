package dev.outrider.drafter.mtp;

import dev.outrider.common.Undo;
import dev.outrider.drafter.mtp.MtpConfig.ConcatOrder;
import dev.outrider.drafter.mtp.MtpConfig.FeedNorm;
import dev.outrider.drafter.mtp.MtpConfig.Recycle;
import dev.outrider.drafting.head.TensorLayout;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/// The modules of a checkpoint: their layout, their architecture, and the settings that they were trained for. Must stay open
/// while weights are loaded.
///
/// @param path     the folder
/// @param layout   of the names
/// @param layer    the decoder layer inside each module, and its target's number of layers
/// @param switches order, feed and recycling, from the checkpoint or from its layout
/// @param modules  number of modules D
record ModuleCheckpoint(
        Path path,
        CheckpointTensors tensors,
        Layout layout,
        ModuleArchitecture layer,
        Switches switches,
        int modules)
        implements AutoCloseable {
    /// Parts of names that identify an unsupported kind of layer.
    private static final List<Map.Entry<String, String>> KINDS =
            List.of(
                    Map.entry(".self_attn.kv_a_", "latent attention (MLA)"),
                    Map.entry(".self_attn.kv_b_", "latent attention (MLA)"),
                    Map.entry(".self_attn.q_a_", "latent attention (MLA)"),
                    Map.entry(".self_attn.q_b_", "latent attention (MLA)"),
                    Map.entry(".mlp.gate.", "a mixture of experts"),
                    Map.entry(".mlp.experts.", "a mixture of experts"),
                    Map.entry(".mlp.shared_expert", "a mixture of experts"),
                    Map.entry(".weight_scale_inv", "quantised weights"));

    /// Reads configuration and names, and checks that they belong together. No weight is read yet.
    ///
    /// @param path a folder with `config.json` and safetensors: the modules alone, or the whole model with them
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` for latent attention, mixtures of experts, quantised
    ///                           weights and unknown layouts, `CHECKPOINT_INCOMPLETE` for missing tensors,
    ///                           `MODEL_CONFIG_INVALID` if the number of modules is wrong
    static ModuleCheckpoint open(Path path) {
        var directory = ModelPaths.open(path);
        var config = ConfigNode.read(directory.config());
        var tensors = directory.openTensors();
        return Undo.onFailure(
                tensors::close,
                () -> {
                    var layout = Layout.of(tensors.names()).orElseThrow(() -> noLayout(tensors));
                    refuseKnownKinds(layout, tensors);
                    var layer = ModuleArchitecture.read(config);
                    int modules = modules(config, layout, layer, tensors);
                    refuseUnread(layout, layer, modules, tensors);
                    return new ModuleCheckpoint(
                            path, tensors, layout, layer, Switches.read(config, layout), modules);
                });
    }

    /// Returns the digest of the modules' files.
    String digest() {
        return tensors.digest();
    }

    /// Returns the architecture of a module.
    ///
    /// @param module counted from 0
    DecoderConfig architecture(int module, ConcatOrder order) {
        var names = layout.names(module, layer.targetLayers());
        var storage =
                new Layout.Storage(
                        layer.zeroCentredNorms(),
                        layer.gatedQueries(),
                        has(names, Weight.EMBEDDING),
                        has(names, Weight.HEAD));
        return layer.decoder().fused(layout.fusion(layer.decoder(), order, storage));
    }

    /// Returns the number of parameters of some modules, without shared embeddings and heads.
    long parameters(int count, ConcatOrder order) {
        return IntStream.range(0, count)
                .mapToLong(module -> Weight.parameters(architecture(module, order)))
                .sum();
    }

    /// Loads the first modules.
    ///
    /// @param loader creates the network of a module
    /// @return the caller closes them
    /// @throws OutriderException `CHECKPOINT_INCOMPLETE` or `CHECKPOINT_SHAPE_MISMATCH`
    List<FeatureNetwork> load(
            int count,
            ConcatOrder order,
            BiFunction<DecoderConfig, WeightSource, FeatureNetwork> loader) {
        var networks = new ArrayList<FeatureNetwork>();
        return Undo.onFailure(
                () -> networks.forEach(FeatureNetwork::close),
                () -> {
                    for (int module = 0; module < count; module++) {
                        var architecture = architecture(module, order);
                        var names = layout.names(module, layer.targetLayers());
                        var weights = new CheckpointWeights(architecture, tensors, names);
                        networks.add(loader.apply(architecture, weights));
                    }
                    return networks;
                });
    }

    @Override
    public void close() {
        tensors.close();
    }

    /// Returns the number of modules in the configuration, which the names must confirm.
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
        return ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                "'%s' holds no multi-token prediction modules in a known layout; expected a tensor such as %s"
                        .formatted(tensors.source(), String.join(", ", Layout.signs())),
                "Choose a checkpoint with modules, or train some with 'outrider train mtp'.");
    }

    private boolean has(TensorLayout names, Weight weight) {
        return names.names(weight, 0).stream().anyMatch(tensors.names()::contains);
    }

    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` with the kind and a tensor that shows it
    private static void refuseKnownKinds(Layout layout, CheckpointTensors tensors) {
        var joined = layout.moduleStems(tensors.names());
        for (var name : new TreeSet<>(tensors.names())) {
            if (!Layout.isOf(name, joined)) {
                continue;
            }
            for (var kind : KINDS) {
                if (name.contains(kind.getKey())) {
                    throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                            "the modules of '%s' have %s, tensor '%s'; Outrider runs dense decoder layers with plain weights"
                                    .formatted(tensors.source(), kind.getValue(), name),
                            "Choose modules with dense layers, or train some with 'outrider train mtp'.");
                }
            }
        }
    }

    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` with the first unknown tensor of a module
    private static void refuseUnread(
            Layout layout, ModuleArchitecture layer, int modules, CheckpointTensors tensors) {
        var known = new HashSet<String>();
        for (int module = 0; module < modules; module++) {
            var names = layout.names(module, layer.targetLayers());
            for (var weight : Weight.values()) {
                known.addAll(names.names(weight, 0));
            }
        }
        var stems = layout.moduleStems(tensors.names());
        for (var name : new TreeSet<>(tensors.names())) {
            if (Layout.isOf(name, stems)
                    && !known.contains(name)
                    && !name.endsWith(".rotary_emb.inv_freq")) {
                throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                        "the modules of '%s' hold tensor '%s', which has no meaning in layout %s"
                                .formatted(tensors.source(), name, layout),
                        "Check that config.json and the weights belong to the same model.");
            }
        }
    }

    /// The settings of a module's input, in which public implementations differ.
    ///
    /// @param order   of the halves
    /// @param feed    the state of the target that the first module reads
    /// @param recycle the state that replaces states that are not known yet
    record Switches(ConcatOrder order, FeedNorm feed, Recycle recycle) {
        /// Returns the settings of a checkpoint, or the ones of most implementations: states after the final norm.
        ///
        /// @throws OutriderException `MODEL_CONFIG_INVALID` for unknown words
        static Switches read(ConfigNode config, Layout layout) {
            var feed =
                    switch (config.text("mtp_feed_norm", "post")) {
                        case "pre" -> FeedNorm.PRE;
                        case "post" -> FeedNorm.POST;
                        default -> throw config.wrong("mtp_feed_norm", "pre or post");
                    };
            var recycle =
                    switch (config.text("mtp_recycle", "post")) {
                        case "pre" -> Recycle.PRE;
                        case "post" -> Recycle.POST;
                        case "target" -> Recycle.TARGET;
                        default -> throw config.wrong("mtp_recycle", "pre, post or target");
                    };
            return new Switches(layout.order(), feed, recycle);
        }
    }
}
