package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.architecture.ModelConfigWriter;
import dev.outrider.spi.error.OutriderException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An encoder-decoder that learns from answers, and from a teacher if there is one.
final class EncoderDecoderLearner implements Learner {
    private final EncoderDecoderPlan run;
    private final ParameterSet parameters;
    private final EncoderDecoderInputs inputs;
    private final Optional<EncoderDecoderTeacher> teacher;

    private EncoderDecoderLearner(EncoderDecoderPlan run, Optional<EncoderDecoderTeacher> teacher) {
        this.run = run;
        this.teacher = teacher;
        parameters = EncoderDecoderParameters.of(run.shape());
        inputs = new EncoderDecoderInputs(run.sourceTokens(), run.encoder().pad());
    }

    /// @throws OutriderException as [EncoderDecoderTeacher#load]
    static EncoderDecoderLearner of(EncoderDecoderPlan run) {
        var teacher =
                run.config()
                        .teaching()
                        .map(teaching -> EncoderDecoderTeacher.load(teaching.teacher(), run));
        return new EncoderDecoderLearner(run, teacher);
    }

    /// Positions that the program needs distances for.
    static int positions(EncoderDecoderPlan run) {
        return Math.max(run.sourceTokens(), run.config().contextTokens());
    }

    @Override
    public Map<String, String> facts() {
        var facts = new LinkedHashMap<String, String>();
        facts.put("shape", run.shape().toString());
        facts.put("sourceTokens", Integer.toString(run.sourceTokens()));
        return facts;
    }

    @Override
    public ParameterSet parameters() {
        return parameters;
    }

    @Override
    public String program() {
        return TrainingScripts.encoderDecoder(
                run.shape(), run.config().precision(), run.config().teaching());
    }

    @Override
    public List<String> measures() {
        return List.of("tokenAccuracy");
    }

    @Override
    public List<NDArray> constants(PtNDManager manager) {
        return EncoderDecoderInputs.constants(run.shape(), positions(run), manager);
    }

    @Override
    public List<NDArray> inputs(TokenRows rows, PtNDManager manager) {
        var made = inputs.of(rows, manager);
        teacher.ifPresent(network -> made.add(network.logits(made, manager)));
        return made;
    }

    @Override
    public long predicted(TokenRows rows) {
        return inputs.predicted(rows);
    }

    @Override
    public FinishedModel finished(List<float[]> values, int endOfText) {
        var config = run.shape().model(run.encoder().pad(), endOfText, run.storage());
        return new FinishedModel(
                ModelConfigWriter.toJson(config),
                parameters.stored(values, run.storage()),
                run.tokenizer());
    }

    @Override
    public void close() {
        teacher.ifPresent(EncoderDecoderTeacher::close);
    }
}
