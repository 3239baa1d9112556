package dev.outrider.drafter.eagle;

import dev.outrider.drafting.feature.Recycling;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.FusionConfig.Join;
import dev.outrider.nn.network.FusionConfig.Switch;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetDescription;
import java.util.List;
import java.util.Optional;

/// Reads heads of EAGLE-1 and EAGLE-2, which differ only in their use.
///
/// | layout | recognised by | tensors |
/// |---|---|---|
/// | original | nothing else | `fc.*`, `layers.0.*` without `input_layernorm`, mostly a copy of `embed_tokens` |
/// | normed halves (HASS, vLLM) | `embed_layernorm`, `hidden_layernorm` | the same and these two norms |
/// | speculators | `speculators_model_type` | `fusion_fc.*`, `transformer.*` or the original names |
///
/// A bias of `fc` is read if it is there; a configuration that says otherwise is refused.
final class EagleReader {
    private static final String ORIGINAL_FUSION = "fc";
    private static final String LEGACY_FUSION = "fusion_fc";

    private EagleReader() {}

    /// @throws dev.outrider.spi.error.OutriderException `MODEL_CONFIG_INVALID`, `CHECKPOINT_UNSUPPORTED`, `CHECKPOINT_INCOMPLETE` or
    ///                           `CHECKPOINT_SHAPE_MISMATCH`
    static EagleLayout read(
            ConfigNode root,
            CheckpointTensors tensors,
            TargetDescription target,
            boolean featureFirst) {
        boolean speculators = root.has("speculators_model_type");
        if (speculators && root.truth("layernorms", false)) {
            throw root.unsupported(
                    "layernorms = true (the norms of speculators' own EAGLE-1)",
                    "heads in the original layout, or with embed_layernorm and hidden_layernorm");
        }
        var node = root.object("transformer_layer_config").orElse(root);
        var decoder = ModelConfig.of(node).decoder().stretchedTo(target.maxPositions());
        boolean legacy = tensors.names().contains(LEGACY_FUSION + ".weight");
        var fusion = legacy ? LEGACY_FUSION : ORIGINAL_FUSION;
        boolean transformer = tensors.names().contains("transformer.self_attn.q_proj.weight");
        var names = EagleLayout.names(fusion, transformer ? "transformer." : "layers.N.", 0, false);
        long hidden = decoder.hiddenSize();
        tensors.tensor(fusion + ".weight", hidden, 2 * hidden);
        boolean embeddingNorm = tensors.names().contains("embed_layernorm.weight");
        boolean featureNorm = tensors.names().contains("hidden_layernorm.weight");
        boolean ownHead = tensors.names().contains("lm_head.weight");
        var join = featureFirst ? Join.FEATURE_FIRST : Join.EMBEDDING_FIRST;
        var config =
                decoder.fused(
                        FusionConfig.of(join, target.hiddenSize(), decoder.vocabularySize())
                                .with(bias(root, tensors, fusion), Switch.JOIN_BIAS)
                                .with(embeddingNorm, Switch.EMBEDDING_NORM)
                                .with(featureNorm, Switch.FEATURE_NORM)
                                .with(
                                        tensors.names()
                                                .contains(
                                                        names.inLayer(0, "input_layernorm.weight")),
                                        Switch.FIRST_INPUT_NORM)
                                .with(tensors.names().contains("norm.weight"), Switch.OUTPUT_NORM)
                                .with(
                                        tensors.names().contains("embed_tokens.weight"),
                                        Switch.OWN_EMBEDDING)
                                .with(ownHead, Switch.OWN_HEAD));
        var dialect =
                speculators
                        ? "speculators"
                        : embeddingNorm || featureNorm ? "normed-halves" : "original";
        return new EagleLayout(
                dialect,
                config,
                names,
                List.of(new HiddenState.AfterFinalNorm()),
                Recycling.BEFORE_NORM,
                Optional.empty());
    }

    /// Returns whether there is a bias. The published default of `bias` is true, but some heads have none and do not
    /// state it: the tensors decide, and a configuration that contradicts them is refused.
    private static boolean bias(ConfigNode root, CheckpointTensors tensors, String fusion) {
        var key = root.has("fusion_bias") ? "fusion_bias" : "bias";
        boolean stored = tensors.names().contains(fusion + ".bias");
        if (root.has(key) && root.truth(key, stored) != stored) {
            throw root.wrong(
                    key,
                    "%s, as '%s.bias' is %s".formatted(stored, fusion, stored ? "stored" : "not"));
        }
        return stored;
    }
}
