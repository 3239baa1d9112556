package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.torch.TorchDecoder;
import dev.outrider.training.DecoderShape.DecoderParameters;
import dev.outrider.training.Learner.FinishedModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A decoder that learns from the text, and from a teacher if there is one.
record DecoderLearner(
        TrainingPlan run,
        ParameterSet parameters,
        Optional<FrozenTarget> frozen,
        Optional<StartCheckpoint> start)
        implements Learner {
    /// @throws OutriderException as [FrozenTarget#load], of the teacher
    static DecoderLearner of(TrainingPlan run) {
        var teacher =
                run.config()
                        .teaching()
                        .map(teaching ->
                                FrozenTarget.load(
                                        teaching.teacher(), run.config().precision().passes()));
        var start = run.start().map(StartCheckpoint::new);
        var fresh = DecoderParameters.of(run.shape());
        var parameters = start.map(begun -> begun.values(fresh)).orElse(fresh);
        return new DecoderLearner(run, parameters, teacher, start);
    }

    @Override
    public Map<String, String> facts() {
        var facts = new LinkedHashMap<String, String>();
        facts.put("shape", run.shape().toString());
        start.ifPresent(begun -> facts.put("start", begun.digest()));
        return facts;
    }

    @Override
    public String program() {
        var teaching = run.config().teaching();
        var precision = run.config().precision();
        return TrainingScripts.decoder(run.shape(), precision, teaching);
    }

    @Override
    public List<String> measures() {
        return frozen.isPresent() ? List.of("overlap") : List.of();
    }

    @Override
    public List<NDArray> constants(PtNDManager manager) {
        return TorchDecoder.angles(run.shape().decoder(), run.shape().maxPositions(), manager);
    }

    @Override
    public List<NDArray> inputs(TokenRows rows, PtNDManager manager) {
        var inputs = new ArrayList<NDArray>();
        inputs.add(rows.inputs().array(manager));
        inputs.add(rows.labels().array(manager));
        inputs.add(rows.mask(manager));
        frozen.ifPresent(network ->
                inputs.add(
                        network.forward(rows.inputs(), Set.of(), true, manager)
                                .logits()
                                .orElseThrow()));
        return inputs;
    }

    @Override
    public FinishedModel finished(List<float[]> values, int endOfText) {
        return new FinishedModel(
                run.shape().configJson(run.storage(), endOfText),
                parameters.stored(values, run.storage()),
                run.tokenizer());
    }

    @Override
    public void close() {
        frozen.ifPresent(FrozenTarget::close);
    }
}
