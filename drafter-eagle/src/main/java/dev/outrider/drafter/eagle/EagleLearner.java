package dev.outrider.drafter.eagle;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.VocabularyMaps;
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
import dev.outrider.training.RowSource;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// A head that learns on a frozen target. Its layer has the target's sizes, its matrix starts as the identity on the
/// feature, so that training begins with "the next feature is like the last one"; a norm and a head of its own start
/// as the target's. Confined to one thread. Owns the target.
///
/// @see "Li et al. 2024 (EAGLE), section 4.2; Li et al. 2025 (EAGLE-3), section 3.2"
final class EagleLearner implements Learner {
    private static final HiddenState FEATURE = new HiddenState.AfterFinalNorm();
    private static final double DEVIATION = LayerParameters.DEVIATION;

    private final FrozenTarget target;
    private final EaglePlan plan;
    private final TrainingConfig training;
    private final TrainingPlan.Storage storage;
    private final DecoderConfig layer;
    private final LayerParameters layers;
    private final DraftVocabulary vocabulary;
    private final Map<String, String> facts = new LinkedHashMap<>();
    private final ParameterSet parameters;

    /// @param target     closed with this
    /// @param targetName how `training.json` calls it
    /// @param training   its precision, seed and sizes of rows are read
    /// @param rows       what will be learnt, where a draft vocabulary is counted
    /// @throws IllegalArgumentException if rows are too short, or the target has fewer layers than are captured or no more
    ///                                  tokens than are drafted
    public EagleLearner(
            FrozenTarget target,
            String targetName,
            EaglePlan plan,
            TrainingConfig training,
            TrainingPlan.Storage storage,
            RowSource rows) {
        if (training.contextTokens() <= plan.steps()) {
            throw new IllegalArgumentException(
                    "contextTokens (%d) must exceed the number of steps (%d)"
                            .formatted(training.contextTokens(), plan.steps()));
        }
        int layers = target.config().layers();
        if (plan.capturedLayers().stream().anyMatch(count -> count > layers)) {
            throw new IllegalArgumentException(
                    "capturedLayers %s of a target with %d layers"
                            .formatted(plan.capturedLayers(), layers));
        }
        this.target = target;
        this.plan = plan;
        this.training = training;
        this.storage = storage;
        layer = EagleConfigJson.layer(target.config());
        this.layers = new LayerParameters(target, layer, training.seed());
        int size = plan.form().draftVocabulary();
        var frequent = FrequentTokens.of(rows, training, size, layer.vocabularySize());
        vocabulary = frequent.vocabulary();
        facts.put("head", plan.toString());
        if (size > 0) {
            facts.put("draftVocabularyShare", String.format(Locale.ROOT, "%.4f", frequent.share()));
        }
        facts.put("target", targetName);
        facts.put("targetDigest", target.digest());
        parameters = new ParameterSet(plan.generation() == 1 ? first() : third());
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
        return plan.generation() == 1
                ? EagleProgram.first(layer, training.precision(), plan)
                : EagleProgram.third(layer, training.precision(), plan);
    }

    @Override
    public List<String> measures() {
        return plan.measures();
    }

    @Override
    public List<NDArray> constants(PtNDManager manager) {
        int positions = training.contextTokens() + plan.steps();
        var angles = RopeTable.of(layer, positions);
        var sizes = new Shape(positions, 1, layer.headSize());
        var head = target.weight(Weight.HEAD, 0, manager);
        var constants = new ArrayList<NDArray>();
        constants.add(target.weight(Weight.EMBEDDING, 0, manager));
        constants.add(reduced() ? head.get(manager.create(draftTokens())) : head);
        constants.add(manager.create(angles.headCosines(), sizes));
        constants.add(manager.create(angles.headSignedSines(), sizes));
        if (reduced()) {
            constants.add(head);
            constants.add(manager.create(draftTokens()));
        }
        return constants;
    }

    @Override
    public List<NDArray> inputs(TokenRows rows, PtNDManager manager) {
        var states = new HashSet<HiddenState>();
        states.add(FEATURE);
        plan.capturedLayers().forEach(layers -> states.add(new HiddenState.AfterLayer(layers)));
        var outputs = target.forward(rows, states, false, manager);
        var inputs = new ArrayList<NDArray>();
        inputs.add(rows.array(manager));
        for (int layers : plan.capturedLayers()) {
            inputs.add(outputs.hidden(new HiddenState.AfterLayer(layers)));
        }
        inputs.add(outputs.hidden(FEATURE));
        inputs.add(rows.mask(manager));
        return inputs;
    }

    @Override
    public Optional<FrozenTarget> frozen() {
        return Optional.of(target);
    }

    @Override
    public FinishedModel finished(List<float[]> values, int endOfText) {
        var tensors = new ArrayList<>(parameters.stored(values, storage));
        if (reduced()) {
            tensors.addAll(VocabularyMaps.stored(vocabulary));
        }
        return new FinishedModel(
                EagleConfigJson.of(plan, layer, vocabulary.width(), storage, endOfText),
                tensors,
                Optional.empty());
    }

    @Override
    public void close() {
        target.close();
    }

    private List<Parameter> first() {
        var list = new ArrayList<Parameter>();
        list.add(
                layers.identityOnLast(
                        "fc.weight", List.of(layers.embeddingDeviation(), DEVIATION), 1));
        var prefix = "layers.0.";
        list.add(layers.queryKeyValue(prefix, 1));
        list.addAll(layers.rest(prefix));
        return list;
    }

    private List<Parameter> third() {
        int hidden = layer.hiddenSize();
        var prefix = "midlayer.";
        var list = new ArrayList<Parameter>();
        boolean normed = plan.form().fcNorm();
        var sizes =
                normed
                        ? Collections.nCopies(plan.capturedLayers().size(), 1.0)
                        : layers.capturedSizes(plan.capturedLayers());
        list.add(
                layers.identityOnLast(
                        "fc.weight",
                        sizes.stream().map(size -> DEVIATION / size).toList(),
                        1 / sizes.getLast()));
        list.add(layers.norm(prefix + "hidden_norm.weight"));
        list.add(layers.norm(prefix + "input_layernorm.weight"));
        list.add(layers.queryKeyValue(prefix, 2));
        list.addAll(layers.rest(prefix));
        try (var manager = TensorRuntime.newManager()) {
            var norm = target.weight(Weight.FINAL_NORM, 0, manager).toFloatArray();
            var head = target.weight(Weight.HEAD, 0, manager).toFloatArray();
            list.add(Parameter.of("norm.weight", new Parameter.Initial.Given(norm), hidden));
            list.add(
                    Parameter.of(
                            "lm_head.weight",
                            new Parameter.Initial.Given(draftRows(head)),
                            vocabulary.width(),
                            hidden));
        }
        if (normed) {
            for (int state = 0; state < plan.capturedLayers().size(); state++) {
                list.add(layers.norm("fc_norm.%d.weight".formatted(state)));
            }
        }
        return list;
    }

    private boolean reduced() {
        return vocabulary.width() < vocabulary.targetSize();
    }

    private long[] draftTokens() {
        return IntStream.range(0, vocabulary.width()).mapToLong(vocabulary::token).toArray();
    }

    /// The rows of a head that draft tokens have.
    private float[] draftRows(float[] head) {
        int hidden = layer.hiddenSize();
        var rows = new float[vocabulary.width() * hidden];
        for (int id = 0; id < vocabulary.width(); id++) {
            System.arraycopy(head, vocabulary.token(id) * hidden, rows, id * hidden, hidden);
        }
        return rows;
    }
}
