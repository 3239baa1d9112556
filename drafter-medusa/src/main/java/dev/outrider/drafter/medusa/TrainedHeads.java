package dev.outrider.drafter.medusa;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.network.Weight;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import dev.outrider.training.TokenRows;
import dev.outrider.training.head.HeadParameters;
import dev.outrider.training.head.TrainedHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Heads on the target's last hidden state in training: Medusa's, and those that read the tokens before their guess.
public abstract class TrainedHeads implements TrainedHead {
    private static final HiddenState LAST = new HiddenState.AfterFinalNorm();

    private final FrozenTarget target;
    private final FrozenTargetKeys keys;
    private final HeadPlan plan;

    /// @throws IllegalArgumentException if rows are too short for the last head to learn anything
    protected TrainedHeads(FrozenTarget target, FrozenTargetKeys keys, HeadPlan plan) {
        if (keys.training().contextTokens() <= plan.count()) {
            throw new IllegalArgumentException(
                    "contextTokens (%d) must exceed the number of heads (%d)"
                            .formatted(keys.training().contextTokens(), plan.count()));
        }
        this.target = target;
        this.keys = keys;
        this.plan = plan;
    }

    /// Returns TorchScript with the method `heads`, as [HeadProgram] describes it.
    protected abstract String heads();

    /// Returns the settings.
    protected final HeadPlan plan() {
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

    /// Returns a parameter that begins as the target's last matrix.
    protected final Parameter copiedHead(String name) {
        try (var manager = TensorRuntime.newManager()) {
            return Parameter.of(
                    name,
                    new Parameter.Initial.Given(weight(Weight.HEAD, manager).toFloatArray()),
                    vocabulary(),
                    hidden());
        }
    }

    /// Adds the weight and the bias of a linear layer that begins with zeros.
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
        return HeadProgram.source(plan, heads(), target.config(), keys.training().precision());
    }

    @Override
    public final List<String> measures() {
        var names = new ArrayList<String>();
        for (int head = 0; head < plan.count(); head++) {
            names.add("accuracyHead" + head);
        }
        if (plan.labels() == HeadPlan.Labels.TARGET) {
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
        boolean distributions = plan.labels() == HeadPlan.Labels.TARGET;
        var outputs = target.forward(rows, Set.of(LAST), distributions, manager);
        var inputs = new ArrayList<NDArray>();
        inputs.add(outputs.hidden(LAST));
        inputs.add(rows.array(manager));
        outputs.logits().ifPresent(inputs::add);
        inputs.add(rows.mask(manager));
        return inputs;
    }
}
