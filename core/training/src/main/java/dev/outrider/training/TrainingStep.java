package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.runtime.TensorThread;
import dev.outrider.nn.runtime.TorchScript;
import dev.outrider.nn.runtime.TorchValue;
import java.util.List;

/// A learner and its optimizer, one step at a time. Confined to one thread; the caller closes it, and the learner itself.
final class TrainingStep implements AutoCloseable {
    private final Learner learner;
    private final AdamW optimizer;
    private final PtNDManager manager = TensorRuntime.newManager();
    private final TorchScript program;
    private final TorchValue constants;

    /// What a step did.
    record Result(double loss, double gradientNorm) {
        boolean isFinite() {
            return Double.isFinite(loss) && Double.isFinite(gradientNorm);
        }
    }

    TrainingStep(Learner learner, TrainingConfig.Optimizer settings, AdamW.State state) {
        this.learner = learner;
        program = TorchScript.compile(learner.program() + TrainingScripts.gradients());
        optimizer = new AdamW(settings, learner.parameters(), state);
        constants = TorchValue.ofArrays(learner.constants(manager));
    }

    /// One step on one batch. Parameters keep their values where loss or gradient is not finite.
    ///
    /// @param step         counted from 1
    /// @param learningRate of this step
    Result step(TokenRows rows, long step, double learningRate) {
        try (var scope = (PtNDManager) manager.newSubManager()) {
            var found = gradients(rows, scope);
            double loss = found.getFirst().getFloat();
            var gradients = found.subList(1, found.size());
            if (!Double.isFinite(loss)) {
                return new Result(loss, Double.NaN);
            }
            return new Result(loss, optimizer.step(gradients, step, learningRate, scope));
        }
    }

    /// Validation loss and the learner's further measures, of one batch; nothing changes.
    double[] measures(TokenRows rows) {
        try (var scope = (PtNDManager) manager.newSubManager();
                var inputs = inputs(rows, scope)) {
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

    @Override
    public void close() {
        constants.close();
        optimizer.close();
        program.close();
        manager.close();
    }

    private List<NDArray> gradients(TokenRows rows, PtNDManager scope) {
        try (var inputs = inputs(rows, scope)) {
            TensorThread.enterTraining();
            try (var found =
                    program.callRecording("gradients", optimizer.weights(), inputs, constants)) {
                return found.toTensors(scope).stream().map(Tensor::array).toList();
            }
        }
    }

    private TorchValue inputs(TokenRows rows, PtNDManager scope) {
        TensorThread.enterInference();
        return TorchValue.ofArrays(learner.inputs(rows, scope));
    }
}
