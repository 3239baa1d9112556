package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TensorThread;
import dev.outrider.torch.TorchScript;
import dev.outrider.torch.TorchValue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Parameters with their moments, in memory. Confined to one thread; the caller closes it, which releases all of them.
///
/// @see "Loshchilov and Hutter 2019 (AdamW)"
final class AdamW implements AutoCloseable {
    private final TrainingConfig.Optimizer settings;
    private final ParameterSet parameters;
    private final PtNDManager manager = TensorRuntime.newManager();
    private final TorchScript program =
            TorchScript.compile(TorchScript.resource(AdamW.class, "adamw"));
    private final List<NDArray> weights;
    private final List<NDArray> first;
    private final List<NDArray> second;
    private final TorchValue weightList;

    /// Parameters and moments, in the order of [ParameterSet#list()].
    record State(List<float[]> weights, List<float[]> first, List<float[]> second) {
        /// Parameters drawn from a seed, moments zero.
        static State initial(ParameterSet parameters, long seed) {
            return of(parameters, parameters.initial(seed));
        }

        /// These parameters, with moments zero.
        static State of(ParameterSet parameters, List<float[]> weights) {
            return new State(weights, parameters.zeros(), parameters.zeros());
        }
    }

    AdamW(TrainingConfig.Optimizer settings, ParameterSet parameters, State state) {
        this.settings = settings;
        this.parameters = parameters;
        weights = parameters.arrays(manager, state.weights());
        first = parameters.arrays(manager, state.first());
        second = parameters.arrays(manager, state.second());
        weights.forEach(weight -> weight.setRequiresGradient(true));
        weightList = TorchValue.ofArrays(weights);
    }

    /// The parameters as `List[Tensor]`.
    TorchValue weights() {
        return weightList;
    }

    /// Scales gradients that are too long and, if they are finite, takes a step.
    ///
    /// @param gradients    changed in place
    /// @param step         counted from 1
    /// @param learningRate of this step
    /// @return length of the gradient before it was scaled
    double step(List<NDArray> gradients, long step, double learningRate, PtNDManager scope) {
        TensorThread.enterInference();
        try (var list = TorchValue.ofArrays(gradients);
                var longest = TorchValue.of(settings.clipNorm());
                var norm = program.callRecording("clip", list, longest)) {
            double length = norm.toArray(scope).getFloat();
            if (Double.isFinite(length)) {
                update(gradients, true, step, learningRate, scope);
                update(gradients, false, step, learningRate, scope);
            }
            return length;
        }
    }

    /// The parameters' values.
    List<float[]> values() {
        return values(weights);
    }

    State state() {
        return new State(values(weights), values(first), values(second));
    }

    @Override
    public void close() {
        weightList.close();
        program.close();
        manager.close();
    }

    private void update(
            List<NDArray> gradients,
            boolean decays,
            long step,
            double learningRate,
            PtNDManager scope) {
        var group =
                IntStream.range(0, weights.size())
                        .filter(i -> parameters.list().get(i).decays() == decays)
                        .boxed()
                        .toList();
        if (group.isEmpty()) {
            return;
        }
        var count = scope.create((float) step);
        try (var p = select(weights, group);
                var g = select(gradients, group);
                var m = select(first, group);
                var v = select(second, group);
                var steps = TorchValue.ofArrays(group.stream().map(index -> count).toList());
                var rate = TorchValue.of(learningRate);
                var beta1 = TorchValue.of(settings.beta1());
                var beta2 = TorchValue.of(settings.beta2());
                var decay = TorchValue.of(decays ? settings.weightDecay() : 0)) {
            program.callRecording("adamw", p, g, m, v, steps, rate, beta1, beta2, decay).close();
        }
    }

    private static TorchValue select(List<NDArray> arrays, List<Integer> indices) {
        return TorchValue.ofArrays(indices.stream().map(arrays::get).toList());
    }

    private static List<float[]> values(List<NDArray> arrays) {
        var values = new ArrayList<float[]>();
        arrays.forEach(array -> values.add(array.toFloatArray()));
        return values;
    }
}
