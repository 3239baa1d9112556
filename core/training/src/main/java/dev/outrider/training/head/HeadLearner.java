package dev.outrider.training.head;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.common.Undo;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Learner;
import dev.outrider.training.Learner.FinishedModel;
import dev.outrider.training.ParameterSet;
import dev.outrider.training.RowSource;
import dev.outrider.training.TokenRows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A head that learns from a frozen target, which it owns.
public record HeadLearner(
        FrozenTarget target,
        FrozenTargetKeys keys,
        TrainedHead head,
        Map<String, String> facts,
        ParameterSet parameters)
        implements Learner {
    private HeadLearner(FrozenTarget target, FrozenTargetKeys keys, TrainedHead head) {
        var facts = new LinkedHashMap<>(head.facts());
        facts.put("target", keys.targetName());
        facts.put("targetDigest", target.digest());
        this(target, keys, head, facts, new ParameterSet(head.parameters()));
    }

    /// Loads the target and creates the head for it.
    ///
    /// @param rows the rows to learn
    /// @throws dev.outrider.spi.error.OutriderException as [FrozenTarget#load]
    /// @throws IllegalArgumentException                 if the settings do not fit the target
    public static HeadLearner of(HeadTraining settings, RowSource rows) {
        var target = settings.keys().load();
        return Undo.onFailure(
                target::close,
                () -> new HeadLearner(target, settings.keys(), settings.head(target, rows)));
    }

    @Override
    public String program() {
        return head.program();
    }

    @Override
    public List<String> measures() {
        return head.measures();
    }

    @Override
    public List<NDArray> constants(PtNDManager manager) {
        return head.constants(manager);
    }

    @Override
    public List<NDArray> inputs(TokenRows rows, PtNDManager manager) {
        return head.inputs(rows, manager);
    }

    @Override
    public Optional<FrozenTarget> frozen() {
        return Optional.of(target);
    }

    @Override
    public FinishedModel finished(List<float[]> values, int endOfText) {
        var tensors = new ArrayList<>(parameters.stored(head.finished(values), keys.storage()));
        tensors.addAll(head.fixed());
        return new FinishedModel(head.configJson(endOfText), tensors, head.tokenizer());
    }

    @Override
    public void close() {
        target.close();
    }
}
