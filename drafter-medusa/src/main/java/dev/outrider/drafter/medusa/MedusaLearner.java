package dev.outrider.drafter.medusa;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.runtime.TensorRuntime;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// Heads that learn on a frozen target (Medusa-1). Blocks start as the identity, projections of their own as the target's
/// head, so that training starts from the target's own next guess.
///
/// Confined to one thread. Owns the target.
///
/// @see "Cai et al. 2024 (Medusa), section 3.3.1"
final class MedusaLearner implements Learner {
    private static final HiddenState LAST = new HiddenState.AfterFinalNorm();

    private final FrozenTarget target;
    private final HeadPlan plan;
    private final TrainingConfig.Precision precision;
    private final TrainingPlan.Storage storage;
    private final Map<String, String> facts;
    private final ParameterSet parameters;

    /// @param target     closed with this
    /// @param targetName how the finished configuration calls it
    /// @param config     its precision and row length are read
    /// @param storage    numbers in the finished heads
    /// @throws IllegalArgumentException if rows are too short for the last head to learn anything
    public MedusaLearner(
            FrozenTarget target,
            String targetName,
            HeadPlan plan,
            TrainingConfig config,
            TrainingPlan.Storage storage) {
        if (config.contextTokens() <= plan.count()) {
            throw new IllegalArgumentException(
                    "contextTokens (%d) must exceed the number of heads (%d)"
                            .formatted(config.contextTokens(), plan.count()));
        }
        this.target = target;
        this.plan = plan;
        this.precision = config.precision();
        this.storage = storage;
        facts = new LinkedHashMap<>();
        facts.put("heads", plan.toString());
        facts.put("target", targetName);
        facts.put("targetDigest", target.digest());
        parameters = parameters(target, plan);
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
        return MedusaProgram.source(plan, target.config().vocabularySize(), precision);
    }

    /// How often each head's best guess is the text's token.
    @Override
    public List<String> measures() {
        return IntStream.range(0, plan.count()).mapToObj(head -> "accuracyHead" + head).toList();
    }

    @Override
    public List<NDArray> constants(PtNDManager manager) {
        return switch (plan.projection()) {
            case OWN -> List.of();
            case TARGET -> List.of(target.weight(Weight.HEAD, 0, manager));
        };
    }

    @Override
    public List<NDArray> inputs(TokenRows rows, PtNDManager manager) {
        boolean distributions = plan.labels() == HeadPlan.Labels.TARGET;
        var outputs = target.forward(rows, Set.of(LAST), distributions, manager);
        var inputs = new ArrayList<NDArray>();
        inputs.add(outputs.hidden(LAST));
        inputs.add(rows.array(manager));
        outputs.logits().ifPresent(inputs::add);
        inputs.add(rows.mask(manager));
        return inputs;
    }

    @Override
    public Optional<FrozenTarget> frozen() {
        return Optional.of(target);
    }

    @Override
    public FinishedModel finished(List<float[]> values, int endOfText) {
        return new FinishedModel(
                MedusaConfigJson.of(
                        version(),
                        new HeadLayout.Size(plan.count(), plan.layers()),
                        target.config(),
                        facts.getOrDefault("target", "")),
                parameters.stored(values, storage),
                Optional.empty());
    }

    @Override
    public void close() {
        target.close();
    }

    private String version() {
        return switch (plan.projection()) {
            case OWN -> "1";
            case TARGET -> "2";
        };
    }

    private static ParameterSet parameters(FrozenTarget target, HeadPlan plan) {
        int hidden = target.config().hiddenSize();
        int vocabulary = target.config().vocabularySize();
        var zero = new Parameter.Initial.Constant(0);
        var list = new ArrayList<Parameter>();
        try (var manager = TensorRuntime.newManager()) {
            for (int head = 0; head < plan.count(); head++) {
                for (int layer = 0; layer < plan.layers(); layer++) {
                    var name = MedusaNames.block(head, layer);
                    list.add(Parameter.of(name + ".weight", zero, hidden, hidden));
                    list.add(Parameter.of(name + ".bias", zero, hidden));
                }
                if (plan.projection() == HeadPlan.Projection.OWN) {
                    var own =
                            new Parameter.Initial.Given(
                                    target.weight(Weight.HEAD, 0, manager).toFloatArray());
                    list.add(
                            Parameter.of(
                                    MedusaNames.projection(head, plan.layers()),
                                    own,
                                    vocabulary,
                                    hidden));
                }
            }
        }
        return new ParameterSet(list);
    }
}
