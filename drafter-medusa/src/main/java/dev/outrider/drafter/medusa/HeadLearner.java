package dev.outrider.drafter.medusa;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.training.FinishedModel;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Learner;
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

/// Heads of any kind that learn on a frozen target (Medusa-1), each from the true tokens before what it guesses.
///
/// Confined to one thread. Owns the target.
///
/// @see "Cai et al. 2024 (Medusa), section 3.3.1; Ankner et al. 2024 (Hydra), section 4"
public final class HeadLearner implements Learner {
    private static final HiddenState LAST = new HiddenState.AfterFinalNorm();

    private final FrozenTarget target;
    private final String targetName;
    private final TrainedHeads heads;
    private final HeadPlan plan;
    private final TrainingConfig.Precision precision;
    private final TrainingPlan.Storage storage;
    private final Map<String, String> facts;
    private final ParameterSet parameters;

    /// @param target     closed with this
    /// @param targetName how the finished configuration calls it
    /// @param config     its precision and row length are read
    /// @param storage    numbers in the finished heads
    /// @throws IllegalArgumentException if rows are too short for the last head to learn anything, or the heads do not fit the target
    HeadLearner(
            FrozenTarget target,
            String targetName,
            TrainedHeads heads,
            TrainingConfig config,
            TrainingPlan.Storage storage) {
        plan = heads.plan();
        if (config.contextTokens() <= plan.count()) {
            throw new IllegalArgumentException(
                    "contextTokens (%d) must exceed the number of heads (%d)"
                            .formatted(config.contextTokens(), plan.count()));
        }
        this.target = target;
        this.targetName = targetName;
        this.heads = heads;
        this.precision = config.precision();
        this.storage = storage;
        facts = new LinkedHashMap<>(heads.facts());
        facts.put("target", targetName);
        facts.put("targetDigest", target.digest());
        parameters = new ParameterSet(heads.parameters(target));
    }

    /// Heads that learn on the target that a configuration names.
    ///
    /// @throws dev.outrider.spi.error.OutriderException as [FrozenTarget#load]
    /// @throws IllegalArgumentException if the heads do not fit it
    public static HeadLearner of(FrozenTargetKeys keys, TrainedHeads heads) {
        var target = keys.load();
        try {
            return new HeadLearner(
                    target, keys.targetName(), heads, keys.training(), keys.storage());
        } catch (RuntimeException e) {
            target.close();
            throw e;
        }
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
        return HeadProgram.source(heads, target.config(), precision);
    }

    /// How often each head's best guess is the text's token; where heads learn from the target's distribution, also how often the
    /// best guess is the target's, and how likely the target accepts a drawn one.
    @Override
    public List<String> measures() {
        var names = new ArrayList<String>();
        for (int head = 0; head < plan.count(); head++) {
            names.add("accuracyHead" + head);
        }
        if (readsDistributions()) {
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
        return heads.constants(target, manager);
    }

    @Override
    public List<NDArray> inputs(TokenRows rows, PtNDManager manager) {
        var outputs = target.forward(rows, Set.of(LAST), readsDistributions(), manager);
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
                heads.configJson(target.config(), targetName),
                parameters.stored(heads.finished(target, values), storage),
                Optional.empty());
    }

    @Override
    public void close() {
        target.close();
    }

    private boolean readsDistributions() {
        return plan.labels() == HeadPlan.Labels.TARGET;
    }
}
