package dev.outrider.nn.train;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.runtime.TensorThread;
import dev.outrider.nn.runtime.TorchScript;
import dev.outrider.nn.runtime.TorchValue;
import java.util.ArrayList;
import java.util.List;

/// A decoder and its optimizer, in memory: one step at a time. Confined to one thread.
///
/// The caller closes it; parameters and moments die with it.
final class DecoderTrainer implements AutoCloseable {
    private final DecoderShape shape;
    private final TrainingConfig.Optimizer optimizer;
    private final PtNDManager manager;
    private final TorchScript program;
    private final DecoderParameters parameters;
    private final List<NDArray> weights;
    private final List<NDArray> first;
    private final List<NDArray> second;
    private final TorchValue weightList;
    private final TorchValue cosines;
    private final TorchValue sines;

    /// Parameters and the optimizer's moments, in the order of [DecoderParameters#list()].
    record State(List<float[]> weights, List<float[]> first, List<float[]> second) {}

    /// What a step did.
    record StepResult(double loss, double gradientNorm) {}

    DecoderTrainer(
            DecoderShape shape,
            TrainingConfig.Precision precision,
            TrainingConfig.Optimizer optimizer,
            State state) {
        this.shape = shape;
        this.optimizer = optimizer;
        manager = TensorRuntime.newManager();
        program = TorchScript.compile(DecoderProgram.source(shape, precision));
        parameters = new DecoderParameters(shape);
        weights = parameters.arrays(manager, state.weights());
        first = parameters.arrays(manager, state.first());
        second = parameters.arrays(manager, state.second());
        weights.forEach(weight -> weight.setRequiresGradient(true));
        weightList = TorchValue.ofArrays(weights);
        var angles = RotaryTable.of(shape);
        var tableShape = new Shape(shape.maxPositions(), 1, shape.headDimension());
        cosines = TorchValue.of(manager.create(angles.cosines(), tableShape));
        sines = TorchValue.of(manager.create(angles.signedSines(), tableShape));
    }

    /// Parameters drawn from a seed, moments zero.
    static State initial(DecoderShape shape, long seed) {
        var parameters = new DecoderParameters(shape);
        var zeros =
                parameters.list().stream().map(parameter -> new float[parameter.size()]).toList();
        return new State(parameters.initial(seed), zeros, zeros);
    }

    /// One step of AdamW on one batch.
    ///
    /// @param tokens       shape `[rows][context + 1]`, flat; token t + 1 is the label of token t
    /// @param step         counted from 1
    /// @param learningRate of this step
    /// @param teacher      whose logits are learned too; an empty list for none, else one
    /// @param weight       of the teacher in the loss
    StepResult step(
            long[] tokens,
            int rows,
            long step,
            double learningRate,
            List<DecoderTrainer> teacher,
            double weight) {
        try (var scope = (PtNDManager) manager.newSubManager();
                var batch = Batch.of(scope, tokens, rows)) {
            var soft = new ArrayList<NDArray>();
            for (var one : teacher) {
                soft.add(one.logits(batch, scope));
            }
            var found = gradients(batch, soft, weight, scope);
            double loss = found.getFirst().getFloat();
            var gradients = found.subList(1, found.size());
            TensorThread.enterInference();
            try (var list = TorchValue.ofArrays(gradients);
                    var longest = TorchValue.of(optimizer.clipNorm());
                    var norm = program.callRecording("clip", list, longest)) {
                double gradientNorm = norm.toArray(scope).getFloat();
                if (Double.isFinite(loss) && Double.isFinite(gradientNorm)) {
                    update(gradients, step, learningRate, scope);
                }
                return new StepResult(loss, gradientNorm);
            }
        }
    }

    /// Mean loss of a batch, nats per token; nothing changes.
    double loss(long[] tokens, int rows) {
        TensorThread.enterInference();
        try (var scope = (PtNDManager) manager.newSubManager();
                var batch = Batch.of(scope, tokens, rows);
                var none = TorchValue.ofArrays(List.of());
                var zero = TorchValue.of(0.0);
                var loss =
                        program.callRecording(
                                "loss",
                                batch.inputs(),
                                batch.targets(),
                                weightList,
                                cosines,
                                sines,
                                none,
                                zero)) {
            return loss.toArray(scope).getFloat();
        }
    }

    /// Logits of a single sequence, shape `[tokens.length][V]`, flat.
    float[] logits(long[] tokens) {
        TensorThread.enterInference();
        try (var scope = (PtNDManager) manager.newSubManager();
                var inputs = TorchValue.of(scope.create(tokens, new Shape(1, tokens.length)));
                var logits = program.callRecording("logits", inputs, weightList, cosines, sines)) {
            return logits.toArray(scope).toFloatArray();
        }
    }

    State state() {
        return new State(values(weights), values(first), values(second));
    }

    DecoderParameters parameters() {
        return parameters;
    }

    DecoderShape shape() {
        return shape;
    }

    @Override
    public void close() {
        weightList.close();
        cosines.close();
        sines.close();
        program.close();
        manager.close();
    }

    private NDArray logits(Batch batch, PtNDManager scope) {
        TensorThread.enterInference();
        try (var logits =
                program.callRecording("logits", batch.inputs(), weightList, cosines, sines)) {
            return logits.toArray(scope);
        }
    }

    private List<NDArray> gradients(
            Batch batch, List<NDArray> soft, double weight, PtNDManager scope) {
        TensorThread.enterTraining();
        try (var softList = TorchValue.ofArrays(soft);
                var softWeight = TorchValue.of(weight);
                var found =
                        program.callRecording(
                                "gradients",
                                batch.inputs(),
                                batch.targets(),
                                weightList,
                                cosines,
                                sines,
                                softList,
                                softWeight)) {
            return found.toTensors(scope).stream().map(Tensor::array).toList();
        }
    }

    private void update(
            List<NDArray> gradients, long step, double learningRate, PtNDManager scope) {
        for (boolean norms : new boolean[] {false, true}) {
            var group = new ArrayList<Integer>();
            for (int i = 0; i < weights.size(); i++) {
                if (parameters.list().get(i).isNorm() == norms) {
                    group.add(i);
                }
            }
            var count = scope.create((float) step);
            try (var p = select(weights, group);
                    var g = select(gradients, group);
                    var m = select(first, group);
                    var v = select(second, group);
                    var steps = TorchValue.ofArrays(group.stream().map(index -> count).toList());
                    var rate = TorchValue.of(learningRate);
                    var beta1 = TorchValue.of(optimizer.beta1());
                    var beta2 = TorchValue.of(optimizer.beta2());
                    var decay = TorchValue.of(norms ? 0 : optimizer.weightDecay())) {
                program.callRecording("adamw", p, g, m, v, steps, rate, beta1, beta2, decay)
                        .close();
            }
        }
    }

    private static TorchValue select(List<NDArray> arrays, List<Integer> indices) {
        return TorchValue.ofArrays(indices.stream().map(arrays::get).toList());
    }

    private static List<float[]> values(List<NDArray> arrays) {
        return arrays.stream().map(NDArray::toFloatArray).toList();
    }

    /// Inputs and labels, shape `[rows][context]` each.
    private record Batch(TorchValue inputs, TorchValue targets) implements AutoCloseable {
        static Batch of(PtNDManager scope, long[] tokens, int rows) {
            int width = tokens.length / rows;
            var inputs = new long[rows * (width - 1)];
            var targets = new long[rows * (width - 1)];
            for (int row = 0; row < rows; row++) {
                System.arraycopy(tokens, row * width, inputs, row * (width - 1), width - 1);
                System.arraycopy(tokens, row * width + 1, targets, row * (width - 1), width - 1);
            }
            var shape = new Shape(rows, width - 1);
            return new Batch(
                    TorchValue.of(scope.create(inputs, shape)),
                    TorchValue.of(scope.create(targets, shape)));
        }

        @Override
        public void close() {
            inputs.close();
            targets.close();
        }
    }
}
