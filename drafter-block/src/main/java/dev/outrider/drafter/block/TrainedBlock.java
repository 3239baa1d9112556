package dev.outrider.drafter.block;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.common.Require;
import dev.outrider.drafter.block.BlockLayout.Slots;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Weight;
import dev.outrider.torch.LayerScript;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingScripts;
import dev.outrider.training.head.HeadParameters;
import dev.outrider.training.head.TrainedHead;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A block drafter in training; it reads the target's embedding and head, and its last norm is initialised with the target's. As
/// published, DFlash guesses after the anchor's slot and DSpark from it on.
///
/// @see "Chen, Liang, Liu 2026 (DFlash), section 3.3; Cheng et al. 2026 (DSpark), section 3"
final class TrainedBlock implements TrainedHead {
    /// The number of bins of confidence for the measured calibration.
    static final int BINS = 10;

    private final FrozenTarget target;
    private final FrozenTargetKeys keys;
    private final BlockPlan plan;
    private final HeadPlan headPlan;
    private final HeadForm heads;
    private final Slots slots;
    private final DecoderConfig layers;
    private final HeadParameters parts;

    /// @throws IllegalArgumentException if rows are too short, or the target has fewer layers than are captured, or no
    ///                                  mask token
    TrainedBlock(FrozenTarget target, FrozenTargetKeys keys, BlockPlan plan, HeadPlan headPlan) {
        heads = headPlan.form();
        slots = new Slots(plan.blockSize(), plan.maskToken(), !heads.equals(HeadForm.NONE));
        HeadParameters.requireLayers(target, plan.capturedLayers());
        HeadParameters.requireMask(target, plan.maskToken());
        int context = keys.training().contextTokens();
        Require.that(
                context + 1 >= slots.guesses() + plan.anchors(),
                "contextTokens (%d) leave no room for %d blocks of %d guesses",
                context,
                plan.anchors(),
                slots.guesses());
        this.target = target;
        this.keys = keys;
        this.plan = plan;
        this.headPlan = headPlan;
        layers =
                HeadJson.layersLike(target.config(), plan.layers(), plan.intermediateSize())
                        .queryKeyNorm(true)
                        .build();
        parts = new HeadParameters(target, layers, keys.training().seed());
    }

    @Override
    public Map<String, String> facts() {
        var facts = new LinkedHashMap<String, String>();
        facts.put("head", plan.toString());
        if (!heads.equals(HeadForm.NONE)) {
            facts.put("heads", headPlan.toString());
        }
        return facts;
    }

    @Override
    public List<Parameter> parameters() {
        int hidden = layers.hiddenSize();
        var list = new ArrayList<Parameter>();
        list.add(
                HeadParameters.matrix(
                        plan.capturedLayers().size() * hidden, HeadParameters.part("fc", hidden)));
        list.add(parts.norm("hidden_norm.weight"));
        for (int layer = 0; layer < plan.layers(); layer++) {
            list.addAll(layer("layers.%d.".formatted(layer)));
        }
        list.add(parts.copied("norm.weight", Weight.FINAL_NORM, hidden));
        heads.markov().ifPresent(markov -> list.addAll(markov(markov)));
        if (heads.confidence()) {
            int width =
                    hidden + (heads.confidenceReads() ? heads.markov().orElseThrow().rank() : 0);
            list.add(HeadParameters.matrix(width, HeadParameters.part("confidence_head.proj", 1)));
            list.add(HeadParameters.zeros("confidence_head.proj.bias", 1));
        }
        return list;
    }

    @Override
    public String program() {
        var constants = new HashMap<String, Object>();
        constants.put("layers", plan.layers());
        constants.put("captured", plan.capturedLayers().size());
        constants.put("slots", slots.size());
        constants.put("first_slot", slots.first());
        constants.put("entropy_weight", plan.crossEntropyWeight());
        constants.put("variation_weight", plan.totalVariationWeight());
        constants.put("markov_kind", heads.markov().map(each -> kind(each.type())).orElse(-1));
        constants.put("confidence", heads.confidence());
        constants.put("confidence_reads", heads.confidenceReads());
        constants.put("confidence_weight", headPlan.confidenceWeight());
        constants.put("bins", BINS);
        return TrainingScripts.linear(keys.training().precision())
                + LayerScript.methods(layers)
                + TrainingScripts.measures()
                + TorchScript.resource(TrainedBlock.class, "block")
                + TorchScript.constants(constants);
    }

    /// Returns the number of a Markov head's type in `block.torchscript`.
    private static int kind(HeadForm.Type type) {
        return switch (type) {
            case VANILLA -> 0;
            case GATED -> 1;
            case RNN -> 2;
        };
    }

    @Override
    public List<String> measures() {
        var names = new ArrayList<String>();
        for (var name : List.of("agreement", "acceptance")) {
            for (int guess = 1; guess <= slots.guesses(); guess++) {
                names.add(name + guess);
            }
        }
        for (int bin = 0; heads.confidence() && bin < BINS; bin++) {
            names.addAll(List.of("share" + bin, "confidence" + bin, "accepted" + bin));
        }
        return names;
    }

    @Override
    public List<NDArray> constants(PtNDManager manager) {
        int positions = keys.training().contextTokens() + 1 + slots.size();
        return parts.constants(new Shape(positions, layers.headSize()), manager);
    }

    @Override
    public List<NDArray> inputs(TokenRows rows, PtNDManager manager) {
        var outputs = HeadParameters.states(target, rows, plan.capturedLayers(), manager);
        var blocks = SampledBlocks.draw(rows, plan, slots, keys.training().seed());
        var inputs = new ArrayList<>(blocks.inputs(manager));
        inputs.add(outputs.hidden(HeadParameters.FEATURE));
        inputs.addAll(HeadParameters.captured(outputs, plan.capturedLayers()));
        return inputs;
    }

    @Override
    public String configJson(int endOfText) {
        boolean spark = !heads.equals(HeadForm.NONE);
        var json = HeadJson.ofLayers(layers, endOfText, keys.storage().type());
        json.putArray("architectures").add(spark ? "DSparkDraftModel" : "DFlashDraftModel");
        json.put("block_size", plan.blockSize());
        json.put("num_target_layers", target.config().layers());
        var section = json.putObject("dflash_config");
        section.put("mask_token_id", plan.maskToken());
        var ids = section.putArray("target_layer_ids");
        plan.capturedLayers().forEach(passed -> ids.add(passed - 1));
        if (spark) {
            section.put("projector_type", "dspark");
            section.put("markov_rank", heads.markov().map(HeadForm.Markov::rank).orElse(0));
            heads.markov()
                    .ifPresent(markov ->
                            section.put(
                                    "markov_head_type",
                                    markov.type().name().toLowerCase(Locale.ROOT)));
            section.put("enable_confidence_head", heads.confidence());
            section.put("confidence_head_with_markov", heads.confidenceReads());
        }
        return HeadJson.text(json);
    }

    /// Queries are a separate matrix, because the context has none.
    private List<Parameter> layer(String prefix) {
        int hidden = layers.hiddenSize();
        int shared = layers.keyValueHeads() * layers.headSize();
        var list = new ArrayList<Parameter>();
        list.add(parts.norm(prefix + "input_layernorm.weight"));
        list.add(
                HeadParameters.matrix(
                        hidden,
                        HeadParameters.part(
                                prefix + "self_attn.q_proj", layers.heads() * layers.headSize())));
        list.add(
                HeadParameters.matrix(
                        hidden,
                        HeadParameters.part(prefix + "self_attn.k_proj", shared),
                        HeadParameters.part(prefix + "self_attn.v_proj", shared)));
        list.add(HeadParameters.norm(prefix + "self_attn.q_norm.weight", layers.headSize()));
        list.add(HeadParameters.norm(prefix + "self_attn.k_norm.weight", layers.headSize()));
        list.addAll(HeadParameters.rest(layers, prefix));
        return list;
    }

    private List<Parameter> markov(HeadForm.Markov markov) {
        int rank = markov.rank();
        int hidden = layers.hiddenSize();
        int tokens = layers.vocabularySize();
        var list = new ArrayList<Parameter>();
        list.add(HeadParameters.matrix(rank, HeadParameters.part("markov_head.markov_w1", tokens)));
        list.add(HeadParameters.matrix(rank, HeadParameters.part("markov_head.markov_w2", tokens)));
        var mixing = "markov_head." + MarkovHead.mixing(markov.type());
        switch (markov.type()) {
            case VANILLA -> {}
            case GATED -> {
                list.add(HeadParameters.matrix(hidden + rank, HeadParameters.part(mixing, rank)));
                list.add(HeadParameters.zeros(mixing + ".bias", rank));
            }
            case RNN -> {
                list.add(
                        HeadParameters.matrix(
                                2 * rank + hidden, HeadParameters.part(mixing, 3 * rank)));
                list.add(HeadParameters.zeros(mixing + ".bias", 3L * rank));
            }
        }
        return list;
    }
}
