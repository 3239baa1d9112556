package dev.outrider.drafter.eagle;

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
import dev.outrider.training.TrainingTimeTest;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingPlan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A P-EAGLE head that learns on a frozen target, whose embedding it borrows. It begins as an EAGLE-3 head does: its feature is the last
/// captured state, its last norm and its head are the target's. Confined to one thread. Owns the target.
///
/// @see "Hui et al. 2026 (P-EAGLE), section 4"
final class PEagleLearner implements Learner {
    /// A slot pairs the feature of a place with the next token.
    static final int AHEAD = 1;

    private static final HiddenState FEATURE = new HiddenState.AfterFinalNorm();

    private final FrozenTarget target;
    private final String targetName;
    private final PEaglePlan plan;
    private final TrainingConfig training;
    private final TrainingPlan.Storage storage;
    private final DecoderConfig layers;
    private final ParameterSet parameters;

    /// @param target     closed with this
    /// @param targetName how `training.json` calls it
    /// @param training   its precision, seed and sizes of rows are read
    /// @throws IllegalArgumentException if rows are too short, or the target has fewer layers than are captured, or no mask token
    PEagleLearner(
            FrozenTarget target,
            String targetName,
            PEaglePlan plan,
            TrainingConfig training,
            TrainingPlan.Storage storage) {
        var config = target.config();
        if (plan.capturedLayers().stream().anyMatch(passed -> passed > config.layers())) {
            throw new IllegalArgumentException(
                    "capturedLayers %s of a target with %d layers"
                            .formatted(plan.capturedLayers(), config.layers()));
        }
        if (plan.depths().maskToken() >= config.vocabularySize()) {
            throw new IllegalArgumentException(
                    "maskToken %d of a target with %d tokens"
                            .formatted(plan.depths().maskToken(), config.vocabularySize()));
        }
        TrainingTimeTest.requireRoom(training.contextTokens() + 1, plan.depths(), AHEAD);
        this.target = target;
        this.targetName = targetName;
        this.plan = plan;
        this.training = training;
        this.storage = storage;
        layers =
                EagleConfigJson.layer(config).toBuilder()
                        .layers(plan.layers())
                        .intermediateSize(
                                plan.intermediateSize() == 0
                                        ? config.intermediateSize()
                                        : plan.intermediateSize())
                        .build();
        parameters = new ParameterSet(all());
    }

    @Override
    public Map<String, String> facts() {
        var facts = new LinkedHashMap<String, String>();
        facts.put("head", plan.toString());
        facts.put("target", targetName);
        facts.put("targetDigest", target.digest());
        return facts;
    }

    @Override
    public ParameterSet parameters() {
        return parameters;
    }

    @Override
    public String program() {
        return PEagleProgram.text(layers, training.precision(), plan, training.contextTokens() + 1);
    }

    @Override
    public List<String> measures() {
        return plan.depths().measures();
    }

    @Override
    public List<NDArray> constants(PtNDManager manager) {
        int positions = training.contextTokens();
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
        var slots = TrainingTimeTest.draw(rows, plan.depths(), AHEAD, training.seed());
        var inputs = new ArrayList<>(slots.inputs(manager));
        inputs.add(outputs.hidden(FEATURE));
        for (int passed : plan.capturedLayers()) {
            inputs.add(outputs.hidden(new HiddenState.AfterLayer(passed)));
        }
        return inputs;
    }

    @Override
    public Optional<FrozenTarget> frozen() {
        return Optional.of(target);
    }

    @Override
    public FinishedModel finished(List<float[]> values, int endOfText) {
        return new FinishedModel(
                PEagleConfigJson.of(plan, layers, targetName, storage, endOfText),
                parameters.stored(values, storage),
                Optional.empty());
    }

    @Override
    public void close() {
        target.close();
    }

    private List<Parameter> all() {
        var parts = new LayerParameters(target, layers, training.seed());
        int hidden = layers.hiddenSize();
        var sizes = parts.capturedSizes(plan.capturedLayers());
        var first = "layers.0.";
        var list = new ArrayList<Parameter>();
        list.add(
                Parameter.of(
                        MaskRow.TENSOR,
                        new Parameter.Initial.Normal(1),
                        1,
                        1,
                        (long) sizes.size() * hidden));
        list.add(
                parts.identityOnLast(
                        "fc.weight",
                        sizes.stream().map(size -> LayerParameters.DEVIATION / size).toList(),
                        1 / sizes.getLast()));
        list.add(parts.norm(first + "hidden_norm.weight"));
        list.add(parts.norm(first + "input_layernorm.weight"));
        list.add(parts.queryKeyValue(first, 2));
        list.addAll(parts.rest(first));
        for (int layer = 1; layer < plan.layers(); layer++) {
            list.addAll(parts.ordinary("layers.%d.".formatted(layer)));
        }
        try (var manager = TensorRuntime.newManager()) {
            var norm = target.weight(Weight.FINAL_NORM, 0, manager).toFloatArray();
            var head = target.weight(Weight.HEAD, 0, manager).toFloatArray();
            list.add(Parameter.of("norm.weight", new Parameter.Initial.Given(norm), hidden));
            list.add(
                    Parameter.of(
                            "lm_head.weight",
                            new Parameter.Initial.Given(head),
                            layers.vocabularySize(),
                            hidden));
        }
        return list;
    }
}
