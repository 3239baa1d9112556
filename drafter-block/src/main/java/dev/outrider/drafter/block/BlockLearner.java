package dev.outrider.drafter.block;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RopeTable;
import dev.outrider.nn.network.Weight;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.training.FinishedModel;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.Learner;
import dev.outrider.training.Parameter;
import dev.outrider.training.ParameterSet;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingPlan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A block drafter that learns on a frozen target, whose embedding and head it borrows; its last norm starts as the target's. As
/// published, DFlash guesses after the anchor's slot and DSpark from it on. Confined to one thread. Owns the target.
///
/// @see "Chen, Liang, Liu 2026 (DFlash), section 3.3; Cheng et al. 2026 (DSpark), section 3"
final class BlockLearner implements Learner {
    private static final HiddenState FEATURE = new HiddenState.AfterFinalNorm();
    private static final double DEVIATION = 0.02;

    private final FrozenTarget target;
    private final BlockPlan plan;
    private final HeadPlan headPlan;
    private final HeadForm heads;
    private final Slots slots;
    private final TrainingConfig training;
    private final TrainingPlan.Storage storage;
    private final DecoderConfig layers;
    private final Map<String, String> facts = new LinkedHashMap<>();
    private final ParameterSet parameters;

    /// @param target     closed with this
    /// @param targetName how `training.json` calls it
    /// @param training   its precision, seed and sizes of rows are read
    /// @throws IllegalArgumentException if rows are too short, or the target has fewer layers than are captured, or no mask token
    BlockLearner(
            FrozenTarget target,
            String targetName,
            BlockPlan plan,
            HeadPlan headPlan,
            TrainingConfig training,
            TrainingPlan.Storage storage) {
        heads = headPlan.form();
        slots = new Slots(plan.blockSize(), plan.maskToken(), !heads.equals(HeadForm.NONE));
        layers = BlockConfigJson.layers(target.config(), plan);
        int count = target.config().layers();
        if (plan.capturedLayers().stream().anyMatch(passed -> passed > count)) {
            throw new IllegalArgumentException(
                    "capturedLayers %s of a target with %d layers"
                            .formatted(plan.capturedLayers(), count));
        }
        if (plan.maskToken() >= layers.vocabularySize()) {
            throw new IllegalArgumentException(
                    "maskToken %d of a target with %d tokens"
                            .formatted(plan.maskToken(), layers.vocabularySize()));
        }
        if (training.contextTokens() + 1 < slots.guesses() + plan.anchors()) {
            throw new IllegalArgumentException(
                    "contextTokens (%d) leave no room for %d blocks of %d guesses"
                            .formatted(training.contextTokens(), plan.anchors(), slots.guesses()));
        }
        this.target = target;
        this.plan = plan;
        this.headPlan = headPlan;
        this.training = training;
        this.storage = storage;
        facts.put("head", plan.toString());
        if (!heads.equals(HeadForm.NONE)) {
            facts.put("heads", headPlan.toString());
        }
        facts.put("target", targetName);
        facts.put("targetDigest", target.digest());
        parameters = new ParameterSet(all());
    }

    @Override
    public Map<String, String> facts() {
        return facts;
    }

    @Override
    public ParameterSet parameters() {
        return parameters;
    }

    @Override
    public String program() {
        return new BlockProgram(
                        layers,
                        training.precision(),
                        plan,
                        heads,
                        headPlan.confidenceWeight(),
                        slots)
                .text();
    }

    @Override
    public List<String> measures() {
        var names = new ArrayList<String>();
        for (var name : List.of("agreement", "acceptance")) {
            for (int guess = 1; guess <= slots.guesses(); guess++) {
                names.add(name + guess);
            }
        }
        for (int bin = 0; heads.confidence() && bin < BlockProgram.BINS; bin++) {
            names.addAll(List.of("share" + bin, "confidence" + bin, "accepted" + bin));
        }
        return names;
    }

    @Override
    public List<NDArray> constants(PtNDManager manager) {
        int positions = training.contextTokens() + 1 + slots.size();
        var angles = RopeTable.of(layers, positions);
        var shape = new Shape(positions, layers.headSize());
        return List.of(
                target.weight(Weight.EMBEDDING, 0, manager),
                target.weight(Weight.HEAD, 0, manager),
                manager.create(angles.headCosines(), shape),
                manager.create(angles.headSignedSines(), shape));
    }

    @Override
    public List<NDArray> inputs(TokenRows rows, PtNDManager manager) {
        var states = new HashSet<HiddenState>();
        states.add(FEATURE);
        plan.capturedLayers().forEach(passed -> states.add(new HiddenState.AfterLayer(passed)));
        var outputs = target.forward(rows, states, false, manager);
        var blocks = PractisedBlocks.draw(rows, plan, slots, training.seed());
        var inputs = new ArrayList<>(blocks.inputs(manager));
        inputs.add(outputs.hidden(FEATURE));
        for (int passed : plan.capturedLayers()) {
            inputs.add(outputs.hidden(new HiddenState.AfterLayer(passed)));
        }
        return inputs;
    }

    @Override
    public FinishedModel finished(List<float[]> values, int endOfText) {
        return new FinishedModel(
                BlockConfigJson.of(
                        layers, target.config().layers(), plan, heads, storage, endOfText),
                parameters.stored(values, storage),
                Optional.empty());
    }

    @Override
    public void close() {
        target.close();
    }

    private List<Parameter> all() {
        int hidden = layers.hiddenSize();
        var list = new ArrayList<Parameter>();
        list.add(
                matrix(
                        plan.capturedLayers().size() * hidden,
                        new Parameter.Part("fc.weight", hidden)));
        list.add(norm("hidden_norm.weight", hidden));
        for (int layer = 0; layer < plan.layers(); layer++) {
            list.addAll(layer("layers.%d.".formatted(layer)));
        }
        try (var manager = TensorRuntime.newManager()) {
            var norm = target.weight(Weight.FINAL_NORM, 0, manager).toFloatArray();
            list.add(Parameter.of("norm.weight", new Parameter.Initial.Given(norm), hidden));
        }
        heads.markov().ifPresent(markov -> list.addAll(markov(markov)));
        if (heads.confidence()) {
            int width =
                    hidden + (heads.confidenceReads() ? heads.markov().orElseThrow().rank() : 0);
            list.add(matrix(width, new Parameter.Part("confidence_head.proj.weight", 1)));
            list.add(zeros("confidence_head.proj.bias", 1));
        }
        return list;
    }

    private List<Parameter> layer(String prefix) {
        int hidden = layers.hiddenSize();
        int inner = layers.intermediateSize();
        int width = layers.heads() * layers.headSize();
        int shared = layers.keyValueHeads() * layers.headSize();
        return List.of(
                norm(prefix + "input_layernorm.weight", hidden),
                matrix(hidden, new Parameter.Part(prefix + "self_attn.q_proj.weight", width)),
                matrix(
                        hidden,
                        new Parameter.Part(prefix + "self_attn.k_proj.weight", shared),
                        new Parameter.Part(prefix + "self_attn.v_proj.weight", shared)),
                norm(prefix + "self_attn.q_norm.weight", layers.headSize()),
                norm(prefix + "self_attn.k_norm.weight", layers.headSize()),
                matrix(width, new Parameter.Part(prefix + "self_attn.o_proj.weight", hidden)),
                norm(prefix + "post_attention_layernorm.weight", hidden),
                matrix(
                        hidden,
                        new Parameter.Part(prefix + "mlp.gate_proj.weight", inner),
                        new Parameter.Part(prefix + "mlp.up_proj.weight", inner)),
                matrix(inner, new Parameter.Part(prefix + "mlp.down_proj.weight", hidden)));
    }

    private List<Parameter> markov(HeadForm.Markov markov) {
        int rank = markov.rank();
        int hidden = layers.hiddenSize();
        int tokens = layers.vocabularySize();
        var list = new ArrayList<Parameter>();
        list.add(matrix(rank, new Parameter.Part("markov_head.markov_w1.weight", tokens)));
        list.add(matrix(rank, new Parameter.Part("markov_head.markov_w2.weight", tokens)));
        switch (markov.type()) {
            case VANILLA -> {}
            case GATED -> {
                list.add(
                        matrix(
                                hidden + rank,
                                new Parameter.Part("markov_head.gate_proj.weight", rank)));
                list.add(zeros("markov_head.gate_proj.bias", rank));
            }
            case RNN -> {
                list.add(
                        matrix(
                                2 * rank + hidden,
                                new Parameter.Part("markov_head.joint_proj.weight", 3 * rank)));
                list.add(zeros("markov_head.joint_proj.bias", 3 * rank));
            }
        }
        return list;
    }

    private static Parameter norm(String name, int size) {
        return Parameter.of(name, new Parameter.Initial.Constant(1), size);
    }

    private static Parameter zeros(String name, int size) {
        return Parameter.of(name, new Parameter.Initial.Constant(0), size);
    }

    private static Parameter matrix(int columns, Parameter.Part... parts) {
        long rows = 0;
        for (var part : parts) {
            rows += part.rows();
        }
        return new Parameter(
                new long[] {rows, columns},
                List.of(parts),
                new Parameter.Initial.Normal(DEVIATION));
    }
}
