package dev.outrider.drafter.mtp;

import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.Weight;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Refuses what modules hold and Outrider would not read: a part left out changes every guess.
final class ForeignTensors {
    /// Parts of names that give away a kind of layer nobody here runs.
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

    private ForeignTensors() {}

    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` with the kind and a tensor that shows it
    static void refuseKnownKinds(Layout layout, CheckpointTensors tensors) {
        var joined = layout.moduleStems(tensors.names());
        for (var name : new TreeSet<>(tensors.names())) {
            if (!Layout.isOf(name, joined)) {
                continue;
            }
            for (var kind : KINDS) {
                if (name.contains(kind.getKey())) {
                    throw new OutriderException(
                            ErrorCode.CHECKPOINT_UNSUPPORTED,
                            "the modules of '%s' have %s, tensor '%s'; Outrider runs dense decoder layers with plain weights"
                                    .formatted(tensors.source(), kind.getValue(), name),
                            "Choose modules with dense layers, or train some with 'outrider train mtp'.");
                }
            }
        }
    }

    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` with the first tensor of a module that has no meaning here
    static void refuseUnread(
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
                throw new OutriderException(
                        ErrorCode.CHECKPOINT_UNSUPPORTED,
                        "the modules of '%s' hold tensor '%s', which has no meaning in layout %s"
                                .formatted(tensors.source(), name, layout),
                        "Check that config.json and the weights belong to the same model.");
            }
        }
    }
}
