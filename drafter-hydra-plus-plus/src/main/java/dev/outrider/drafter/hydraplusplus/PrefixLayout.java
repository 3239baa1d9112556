package dev.outrider.drafter.hydraplusplus;

import dev.outrider.common.Require;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.drafting.head.HeadLayout;
import dev.outrider.drafting.head.HydraHeads;
import dev.outrider.drafting.head.TensorLayout;
import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.FusionConfig.Switch;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.TargetModel;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// A checkpoint in the layout of Hydra's authors with `hydra_head_arch` 'prefix-mlp'.
///
/// Their program creates the prefix layer with the sizes of the target's layers and does not store these sizes; files that Outrider
/// wrote have them in `config.json`. Heads without a projection use the target's, which the authors' heads do not.
///
/// @param config the prefix layer
/// @param sizes  of the heads
/// @param linear names of the heads' tensors
/// @see "zankner/Hydra, hydra/model/hydra_heads/prefix_mlp_head.py"
record PrefixLayout(DecoderConfig config, HydraHeads.Sizes sizes, HydraHeads.Names linear)
        implements HeadLayout {
    static final String LAYER = "prefix_embeding_layer.layers.N.";
    static final String NORM = "prefix_embeding_layer.norm.weight";

    private static final int MAX = 64;
    private static final double ROPE_THETA = 10000;
    private static final Pattern BLOCK =
            Pattern.compile("hydra_mlp\\.(\\d{1,6})\\.(\\d{1,6})\\.linear\\.weight");

    /// Reads a layout.
    ///
    /// @throws dev.outrider.spi.error.OutriderException `MODEL_CONFIG_INVALID` or `CHECKPOINT_UNSUPPORTED`
    /// @throws IllegalArgumentException if head and target do not fit
    static PrefixLayout read(ConfigNode root, CheckpointTensors tensors, TargetModel target) {
        checkArchitecture(root);
        int heads = 0;
        int last = 0;
        for (var name : tensors.names()) {
            var match = BLOCK.matcher(name);
            if (match.matches()) {
                heads = Math.max(heads, Integer.parseInt(match.group(1)) + 1);
                last = Math.max(last, Integer.parseInt(match.group(2)));
            }
        }
        int blocks = root.positive("hydra_num_layers", (last + 1) / 2);
        if (heads < 1 || heads > MAX || blocks > MAX) {
            throw root.invalid(
                    "and its tensors describe %d heads of %d blocks; expected 1 to %d of each"
                            .formatted(heads, blocks, MAX));
        }
        if (root.positive("hydra_num_heads", heads) != heads) {
            throw root.wrong("hydra_num_heads", "%d, the heads that are stored".formatted(heads));
        }
        var names = new PrefixNames(Set.copyOf(tensors.names()));
        var layer = layer(root, target);
        boolean own = tensors.names().contains(names.projection(0) + ".weight");
        return new PrefixLayout(
                layer,
                new HydraHeads.Sizes(
                        layer.hiddenSize(), layer.vocabularySize(), heads, blocks, own),
                names);
    }

    /// Returns the layer that the authors' program creates for a target: with the sizes of its layers, and rotary frequencies of
    /// base 10000 for every target.
    static DecoderConfig layerFor(DecoderConfig target) {
        return HeadJson.layersLike(target).layers(1).ropeTheta(ROPE_THETA).build();
    }

    /// Returns a layer that reads the target's state alone.
    static DecoderConfig prefix(DecoderConfig layer) {
        return layer.fused(fusion(layer));
    }

    /// Returns how such a layer computes its input.
    static FusionConfig fusion(DecoderConfig layer) {
        return FusionConfig.of(
                        FusionConfig.Join.FEATURE_ALONE, layer.hiddenSize(), layer.vocabularySize())
                .with(Switch.FIRST_INPUT_NORM, Switch.OUTPUT_NORM);
    }

    /// Returns the names of all tensors of the heads.
    Set<String> headTensors() {
        var names = new HashSet<String>();
        for (int head = 0; head < sizes.heads(); head++) {
            for (int block = 0; block < sizes.blocks(); block++) {
                add(names, linear.block(head, block));
            }
            add(names, linear.residual(head));
            if (sizes.ownProjection()) {
                add(names, linear.projection(head));
            }
        }
        return names;
    }

    @Override
    public String dialect() {
        return "Hydra++";
    }

    @Override
    public TensorLayout names() {
        return new TensorLayout(
                LAYER,
                Map.of(Weight.FINAL_NORM, List.of(NORM)),
                name ->
                        name.equals("prefix_embeding_layer.embed_tokens.weight")
                                || name.equals("input_embed_fn.weight")
                                || name.endsWith("rotary_emb.inv_freq"));
    }

    @Override
    public List<HiddenState> captured() {
        return List.of(new HiddenState.AfterFinalNorm());
    }

    @Override
    public String summary() {
        return "%d heads of %d blocks, projection %s; prefix layer of %d, rope theta %s"
                .formatted(
                        sizes.heads(),
                        sizes.blocks(),
                        sizes.ownProjection() ? "their own" : "the target's",
                        config.hiddenSize(),
                        config.ropeTheta());
    }

    private static void checkArchitecture(ConfigNode root) {
        var architecture = root.text("hydra_head_arch", "mlp");
        if (!architecture.equals("prefix-mlp")) {
            throw root.unsupported(
                    "hydra_head_arch '%s'".formatted(architecture),
                    "'prefix-mlp' by drafter 'hydra-plus-plus'; drafter 'hydra' reads 'mlp'");
        }
        if (!root.truth("grounded_heads", false)) {
            throw root.unsupported(
                    "grounded_heads false (heads that do not see the tokens drafted before them)",
                    "true");
        }
        int offset = root.natural("hidden_state_offset", 0);
        if (offset != 0) {
            throw root.unsupported("hidden_state_offset %d".formatted(offset), "0");
        }
    }

    private static DecoderConfig layer(ConfigNode root, TargetModel target) {
        var description = target.description();
        DecoderConfig layer;
        if (root.has("num_attention_heads")) {
            layer = ModelConfig.of(root).decoder();
        } else {
            layer =
                    target.capability(VectorNetwork.class)
                            .map(network -> layerFor(network.config()))
                            .orElseThrow(() ->
                                    root.invalid(
                                            "does not say the sizes of the prefix layer, and target '%s' does not share its own; expected num_attention_heads and the other keys of a decoder"
                                                    .formatted(description.name())));
        }
        Require.that(
                layer.hiddenSize() == description.hiddenSize(),
                "its prefix layer has %d numbers, the target's states %d",
                layer.hiddenSize(),
                description.hiddenSize());
        return prefix(layer.stretchedTo(description.maxPositions()));
    }

    private static void add(Set<String> names, String linear) {
        names.add(linear + ".weight");
        names.add(linear + ".bias");
    }
}
