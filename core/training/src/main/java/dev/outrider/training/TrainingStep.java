package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TensorThread;
import dev.outrider.torch.TorchScript;
import dev.outrider.torch.TorchValue;
import dev.outrider.training.TrainingProfile.Laps;
import java.util.List;

/// The parameters and their optimizer, which run one step at a time. Confined to one thread; the caller closes it.
final class TrainingStep implements AutoCloseable {
    private final Learner learner;
    private final AdamW optimizer;
    private final PtNDManager manager = TensorRuntime.newManager();
    private final TorchScript program;
    private final TorchValue constants;
    private final Laps laps;

    /// The result of a step.
    record Result(double loss, double gradientNorm) {
        boolean isFinite() {
            return Double.isFinite(loss) && Double.isFinite(gradientNorm);
        }
    }

    TrainingStep(Learner learner, TrainingConfig.Optimizer settings, AdamW.State state, Laps laps) {
        this.learner = learner;
        this.laps = laps;
        program = TorchScript.compile(learner.program() + TrainingScripts.backward());
        optimizer = new AdamW(settings, learner.parameters(), state);
        constants = TorchValue.ofArrays(learner.constants(manager));
    }

    /// Runs one step on one or more batches, whose losses are weighted by the number of tokens that they predict: the result is
    /// that of one large batch whose loss is a mean over predicted tokens. Parameters keep their values if loss or gradient is not
    /// finite.
    ///
    /// @param batches      at least one of them predicts a token
    /// @param step         counted from 1
    /// @param learningRate of this step
    Result step(List<TokenRows> batches, long step, double learningRate) {
        long all = batches.stream().mapToLong(learner::predicted).sum();
        try (var scope = (PtNDManager) manager.newSubManager()) {
            double loss = 0;
            List<NDArray> sum = List.of();
            for (var batch : batches) {
                long predicted = learner.predicted(batch);
                if (predicted == 0) {
                    continue;
                }
                double share = (double) predicted / all;
                var found = gradients(batch, share, scope);
                loss += share * found.getFirst().getFloat();
                if (!Double.isFinite(loss)) {
                    return new Result(loss, Double.NaN);
                }
                sum = added(sum, found.subList(1, found.size()));
            }
            double norm = optimizer.step(sum, step, learningRate, scope);
            laps.lap(TrainingProfile.Part.OPTIMISER);
            return new Result(loss, norm);
        }
    }

    /// Returns the validation loss and the learner's further measures of one batch; nothing changes.
    double[] measures(TokenRows batch) {
        try (var scope = (PtNDManager) manager.newSubManager();
                var inputs = inputs(batch, scope)) {
            TensorThread.enterInference();
            try (var found =
                    program.callRecording("measures", optimizer.weights(), inputs, constants)) {
                return found.toArrays(scope).stream().mapToDouble(NDArray::getFloat).toArray();
            }
        }
    }

    AdamW.State state() {
        return optimizer.state();
    }

    /// One array per parameter, row-major.
    List<float[]> weights() {
        return optimizer.values();
    }

    @Override
    public void close() {
        constants.close();
        optimizer.close();
        program.close();
        manager.close();
    }

    /// Returns the loss, then a gradient for each parameter, of the loss times a share.
    private List<NDArray> gradients(TokenRows batch, double share, PtNDManager scope) {
        try (var inputs = inputs(batch, scope)) {
            laps.lap(TrainingProfile.Part.INPUTS);
            TensorThread.enterTraining();
            try (var loss = program.callRecording("loss", optimizer.weights(), inputs, constants)) {
                laps.lap(TrainingProfile.Part.FORWARD);
                try (var part = TorchValue.of(share);
                        var found =
                                program.callRecording(
                                        "backward", loss, part, optimizer.weights())) {
                    laps.lap(TrainingProfile.Part.BACKWARD);
                    return found.toArrays(scope);
                }
            }
        }
    }

    /// Adds gradients to the first list in place, and returns it.
    private List<NDArray> added(List<NDArray> sum, List<NDArray> more) {
        if (sum.isEmpty()) {
            return more;
        }
        TensorThread.enterInference();
        try (var to = TorchValue.ofArrays(sum);
                var from = TorchValue.ofArrays(more)) {
            program.callRecording("accumulate", to, from).close();
        }
        more.forEach(NDArray::close);
        return sum;
    }

    private TorchValue inputs(TokenRows batch, PtNDManager scope) {
        TensorThread.enterInference();
        return TorchValue.ofArrays(learner.inputs(batch, scope));
    }
}
