package dev.outrider.training.head;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.Require;
import dev.outrider.nn.network.Weight;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.Divergence;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingScripts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Heads in training that read the target's last hidden state and guess one token each: Medusa's, and heads that also read the
/// tokens before their guess. The program is `token-heads.torchscript`.
public abstract class TokenHeads implements TrainedHead {
    /// The heads to train.
    ///
    /// @see "Cai et al. 2024 (Medusa), sections 3.1 and 3.3.1"
    public record Plan(
            @Doc("Number of heads, at least 1: how far ahead they guess.") int count,
            @Doc("Residual blocks of a head, at least 1.") @Default("1") int layers,
            @Doc("Whose matrix turns a head's output into logits: one of its own, or the target's.")
                    Projection projection,
            @Doc(
                            "What a head learns: the text's token, or the target's distribution at the place"
                                    + " before, which is what a draft is judged by.")
                    @Default("text")
                    Labels labels,
            @Doc("Weight of a head in the loss relative to the one before it; in (0, 1].")
                    @Default("0.8")
                    double decay,
            @Doc(
                            "How a head's distribution is compared with the target's, where that is its label.")
                    @Default("forward-kl")
                    Divergence divergence) {
        public Plan {
            Require.atLeast("'count'", count, 1);
            Require.atLeast("'layers'", layers, 1);
            Require.that(decay > 0 && decay <= 1, "'decay' must be in (0, 1], got %s", decay);
        }
    }

    /// The vocabulary projection of a head.
    public enum Projection {
        OWN,
        TARGET
    }

    /// The tokens that a head learns to predict.
    public enum Labels {
        TEXT,
        TARGET
    }

    private static final HiddenState LAST = new HiddenState.AfterFinalNorm();

    private final FrozenTarget target;
    private final FrozenTargetKeys keys;
    private final Plan plan;

    /// @throws IllegalArgumentException if rows are too short for the last head to learn anything
    protected TokenHeads(FrozenTarget target, FrozenTargetKeys keys, Plan plan) {
        Require.that(
                keys.training().contextTokens() > plan.count(),
                "contextTokens (%d) must exceed the number of heads (%d)",
                keys.training().contextTokens(),
                plan.count());
        this.target = target;
        this.keys = keys;
        this.plan = plan;
    }

    /// Returns TorchScript with the method `heads`, as `token-heads.torchscript` describes it.
    protected abstract String heads();

    /// Returns the constants `n_guesses`, `blocks` and `own_projection`, which the methods `heads` use.
    protected static String constants(Plan plan) {
        return TorchScript.constants(
                Map.of(
                        "n_guesses", plan.count(),
                        "blocks", plan.layers(),
                        "own_projection", plan.projection() == Projection.OWN));
    }

    /// Returns the settings.
    protected final Plan plan() {
        return plan;
    }

    /// Returns the target.
    protected final FrozenTarget target() {
        return target;
    }

    /// Returns the target's hidden size.
    protected final int hidden() {
        return target.config().hiddenSize();
    }

    /// Returns the number of the target's logits.
    protected final int vocabulary() {
        return target.config().vocabularySize();
    }

    /// Returns a weight of the target.
    ///
    /// @param manager owner of the result
    protected final NDArray weight(Weight weight, PtNDManager manager) {
        return target.weight(weight, 0, manager);
    }

    /// Returns a parameter that is initialised with the target's head.
    protected final Parameter copiedHead(String name) {
        try (var manager = TensorRuntime.newManager()) {
            return Parameter.of(
                    name,
                    new Parameter.Initial.Given(weight(Weight.HEAD, manager).toFloatArray()),
                    vocabulary(),
                    hidden());
        }
    }

    /// Adds the weight and the bias of a linear layer that is initialised with zeros.
    protected static void addZeros(List<Parameter> list, String name, int rows, int columns) {
        list.add(HeadParameters.zeros(name + ".weight", rows, columns));
        list.add(HeadParameters.zeros(name + ".bias", rows));
    }

    /// Adds the keys that all of these heads have to a `config.json`, and returns it.
    protected final ObjectNode describe(ObjectNode json) {
        json.put("hidden_size", hidden());
        json.put("vocab_size", vocabulary());
        json.put("base_model_name_or_path", keys.targetName());
        return json;
    }

    @Override
    public Map<String, String> facts() {
        return Map.of("heads", plan.toString());
    }

    @Override
    public final String program() {
        return program(plan, heads(), keys.training().precision());
    }

    /// Returns the whole program.
    ///
    /// @param heads TorchScript with the method `heads`
    public static String program(Plan plan, String heads, TrainingConfig.Precision precision) {
        return TrainingScripts.linear(precision)
                + TrainingScripts.softLoss(plan.divergence())
                + TrainingScripts.learned()
                + TrainingScripts.measures()
                + TrainingScripts.steps(plan.decay())
                + TorchScript.resource(TokenHeads.class, "token-heads")
                + TorchScript.constants(Map.of("target_labels", plan.labels() == Labels.TARGET))
                + heads;
    }

    @Override
    public final List<String> measures() {
        var names = new ArrayList<String>();
        for (int head = 0; head < plan.count(); head++) {
            names.add("accuracyHead" + head);
        }
        if (plan.labels() == Labels.TARGET) {
            for (var name : List.of("agreement", "acceptance")) {
                for (int guess = 1; guess <= plan.count(); guess++) {
                    names.add(name + guess);
                }
            }
        }
        return names;
    }

    @Override
    public List<NDArray> constants(PtNDManager manager) {
        return switch (plan.projection()) {
            case OWN -> List.of();
            case TARGET -> List.of(weight(Weight.HEAD, manager));
        };
    }

    @Override
    public final List<NDArray> inputs(TokenRows rows, PtNDManager manager) {
        boolean distributions = plan.labels() == Labels.TARGET;
        var outputs = target.forward(rows, Set.of(LAST), distributions, manager);
        var inputs = new ArrayList<NDArray>();
        inputs.add(outputs.hidden(LAST));
        inputs.add(rows.array(manager));
        outputs.logits().ifPresent(inputs::add);
        inputs.add(rows.mask(manager));
        return inputs;
    }
}
