package dev.outrider.drafter.eagle;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.common.Require;
import dev.outrider.drafting.VocabularyMaps;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Weight;
import dev.outrider.torch.LayerScript;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import dev.outrider.training.RowSource;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingScripts;
import dev.outrider.training.head.HeadParameters;
import dev.outrider.training.head.TrainedHead;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/// A head of EAGLE-1 or EAGLE-3 in training. Its layer has the target's sizes. Its matrix is initialised with the identity on the
/// feature, so that training begins with "the next feature is like the last one"; its own norm and head are initialised with the
/// target's.
///
/// @see "Li et al. 2024 (EAGLE), section 4.2; Li et al. 2025 (EAGLE-3), section 3.2"
final class TrainedEagle implements TrainedHead {
    private final FrozenTarget target;
    private final FrozenTargetKeys keys;
    private final EaglePlan plan;
    private final DecoderConfig layer;
    private final HeadParameters parts;
    private final FrequentTokens frequent;

    /// @param rows the rows to learn, in which the tokens of a draft vocabulary are counted
    /// @throws IllegalArgumentException if rows are too short, or the target has fewer layers than are captured or no
    ///                                  more tokens than are drafted
    TrainedEagle(FrozenTarget target, FrozenTargetKeys keys, EaglePlan plan, RowSource rows) {
        var training = keys.training();
        Require.that(
                training.contextTokens() > plan.steps(),
                "contextTokens (%d) must exceed the number of steps (%d)",
                training.contextTokens(),
                plan.steps());
        HeadParameters.requireLayers(target, plan.capturedLayers());
        this.target = target;
        this.keys = keys;
        this.plan = plan;
        layer = HeadJson.layersLike(target.config()).layers(1).build();
        parts = new HeadParameters(target, layer, training.seed());
        frequent =
                FrequentTokens.of(
                        rows, training, plan.form().draftVocabulary(), layer.vocabularySize());
    }

    @Override
    public Map<String, String> facts() {
        var facts = new LinkedHashMap<String, String>();
        facts.put("head", plan.toString());
        if (reduced()) {
            facts.put("draftVocabularyShare", String.format(Locale.ROOT, "%.4f", frequent.share()));
        }
        return facts;
    }

    @Override
    public List<Parameter> parameters() {
        return plan.generation() == 1 ? first() : third();
    }

    @Override
    public String program() {
        return TrainingScripts.linear(keys.training().precision())
                + TrainingScripts.softLoss(plan.divergence())
                + TrainingScripts.learned()
                + TrainingScripts.measures()
                + TrainingScripts.steps(plan.decay())
                + TrainingScripts.columns()
                + LayerScript.methods(layer)
                + TorchScript.resource(TrainedEagle.class, "columns")
                + TorchScript.resource(TrainedEagle.class, "eagle" + plan.generation())
                + TorchScript.constants(constants());
    }

    /// Returns the constants of the program.
    private Map<String, ?> constants() {
        return plan.generation() == 1
                ? Map.of(
                        "steps", plan.steps(),
                        "regression_weight", plan.regressionWeight(),
                        "entropy_weight", plan.crossEntropyWeight())
                : Map.of(
                        "steps", plan.steps(),
                        "captured", plan.capturedLayers().size(),
                        "state_norms", plan.form().fcNorm(),
                        "recycles_normed", plan.form().normOutput(),
                        "reduced", reduced());
    }

    @Override
    public List<String> measures() {
        return plan.measures();
    }

    @Override
    public List<NDArray> constants(PtNDManager manager) {
        int positions = keys.training().contextTokens() + plan.steps();
        var constants =
                new ArrayList<>(
                        parts.constants(new Shape(positions, 1, layer.headSize()), manager));
        if (reduced()) {
            var head = constants.get(1);
            constants.set(1, head.get(manager.create(draftTokens())));
            constants.add(head);
            constants.add(manager.create(draftTokens()));
        }
        return constants;
    }

    @Override
    public List<NDArray> inputs(TokenRows rows, PtNDManager manager) {
        var outputs = HeadParameters.states(target, rows, plan.capturedLayers(), manager);
        var inputs = new ArrayList<NDArray>();
        inputs.add(rows.array(manager));
        inputs.addAll(HeadParameters.captured(outputs, plan.capturedLayers()));
        inputs.add(outputs.hidden(HeadParameters.FEATURE));
        inputs.add(rows.mask(manager));
        return inputs;
    }

    @Override
    public List<StoredTensor> fixed() {
        return reduced() ? VocabularyMaps.stored(frequent.vocabulary()) : List.of();
    }

    @Override
    public String configJson(int endOfText) {
        var json = HeadJson.ofLayers(layer, endOfText, keys.storage().type());
        if (plan.generation() == 1) {
            json.put("bias", false);
        } else {
            json.putArray("architectures").add("LlamaForCausalLMEagle3");
            json.put("draft_vocab_size", frequent.vocabulary().width());
            if (plan.form().fcNorm()) {
                json.put("fc_norm", true);
            }
            if (plan.form().normOutput()) {
                json.put("norm_output", true);
            }
            var ids = json.putObject("eagle_config").putArray("eagle_aux_hidden_state_layer_ids");
            plan.capturedLayers().forEach(ids::add);
        }
        return HeadJson.text(json);
    }

    private List<Parameter> first() {
        var list = new ArrayList<Parameter>();
        list.add(
                parts.identityOnLast(
                        "fc.weight",
                        List.of(parts.embeddingDeviation(), HeadParameters.DEVIATION),
                        1));
        list.add(HeadParameters.queryKeyValue(layer, "layers.0.", 1));
        list.addAll(HeadParameters.rest(layer, "layers.0."));
        return list;
    }

    private List<Parameter> third() {
        int states = plan.capturedLayers().size();
        boolean normed = plan.form().fcNorm();
        var sizes =
                normed
                        ? Collections.nCopies(states, 1.0)
                        : parts.capturedSizes(plan.capturedLayers());
        var list = new ArrayList<>(wide(parts, "midlayer.", sizes));
        list.add(parts.copied("norm.weight", Weight.FINAL_NORM, layer.hiddenSize()));
        list.add(head());
        for (int state = 0; normed && state < states; state++) {
            list.add(parts.norm("fc_norm.%d.weight".formatted(state)));
        }
        return list;
    }

    /// Returns the parameters of EAGLE-3's layer: the matrix over the captured states, and a layer that reads the
    /// embedding beside the feature.
    ///
    /// @param sizes of the captured states
    static List<Parameter> wide(HeadParameters parts, String prefix, List<Double> sizes) {
        var list = new ArrayList<Parameter>();
        list.add(
                parts.identityOnLast(
                        "fc.weight",
                        sizes.stream().map(size -> HeadParameters.DEVIATION / size).toList(),
                        1 / sizes.getLast()));
        list.add(parts.norm(prefix + "hidden_norm.weight"));
        list.add(parts.norm(prefix + "input_layernorm.weight"));
        list.add(HeadParameters.queryKeyValue(parts.layer(), prefix, 2));
        list.addAll(HeadParameters.rest(parts.layer(), prefix));
        return list;
    }

    private boolean reduced() {
        return plan.form().draftVocabulary() > 0;
    }

    private long[] draftTokens() {
        var vocabulary = frequent.vocabulary();
        return IntStream.range(0, vocabulary.width()).mapToLong(vocabulary::token).toArray();
    }

    /// Returns the head, which is initialised with the draft tokens' rows of the target's head.
    private Parameter head() {
        var vocabulary = frequent.vocabulary();
        int hidden = layer.hiddenSize();
        var rows = new float[vocabulary.width() * hidden];
        try (var manager = TensorRuntime.newManager()) {
            var head = target.weight(Weight.HEAD, 0, manager).toFloatArray();
            for (int id = 0; id < vocabulary.width(); id++) {
                System.arraycopy(head, vocabulary.token(id) * hidden, rows, id * hidden, hidden);
            }
        }
        return Parameter.of(
                "lm_head.weight", new Parameter.Initial.Given(rows), vocabulary.width(), hidden);
    }
}
