package dev.outrider.drafter.medusa.sequence;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.drafter.medusa.HeadPlan;
import dev.outrider.drafter.medusa.TrainedHeads;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Weight;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Hydra's heads, which learn after the text's own tokens. They start as the identity on the hidden state, and projections of
/// their own as the target's head.
///
/// @see "Ankner et al. 2024 (Hydra), sections 3 and 4"
record TrainedHydra(HeadPlan plan) implements TrainedHeads {
    @Override
    public Map<String, String> facts() {
        return Map.of("heads", plan.toString());
    }

    @Override
    public List<Parameter> parameters(FrozenTarget target) {
        int hidden = target.config().hiddenSize();
        int vocabulary = target.config().vocabularySize();
        var list = new ArrayList<Parameter>();
        try (var manager = TensorRuntime.newManager()) {
            for (int head = 0; head < plan.count(); head++) {
                int read = read(head, hidden);
                var first = HydraNames.block(head, 0);
                list.add(zeros(first + ".weight", hidden, read));
                list.add(zeros(first + ".bias", hidden));
                list.add(identity(HydraNames.residual(head) + ".weight", hidden, read));
                list.add(zeros(HydraNames.residual(head) + ".bias", hidden));
                for (int layer = 1; layer < plan.layers(); layer++) {
                    var name = HydraNames.block(head, layer);
                    list.add(zeros(name + ".weight", hidden, hidden));
                    list.add(zeros(name + ".bias", hidden));
                }
                if (plan.projection() == HeadPlan.Projection.OWN) {
                    var name = HydraNames.projection(head);
                    var own = target.weight(Weight.HEAD, 0, manager).toFloatArray();
                    list.add(
                            Parameter.of(
                                    name + ".weight",
                                    new Parameter.Initial.Given(own),
                                    vocabulary,
                                    hidden));
                    list.add(zeros(name + ".bias", vocabulary));
                }
            }
        }
        return list;
    }

    @Override
    public List<NDArray> constants(FrozenTarget target, PtNDManager manager) {
        var constants = new ArrayList<NDArray>();
        constants.add(TokenScale.embeddings(target, manager));
        if (plan.projection() == HeadPlan.Projection.TARGET) {
            constants.add(target.weight(Weight.HEAD, 0, manager));
        }
        return constants;
    }

    @Override
    public String program(DecoderConfig decoder) {
        return HydraProgram.heads(plan);
    }

    @Override
    public List<float[]> finished(FrozenTarget target, List<float[]> values) {
        int hidden = target.config().hiddenSize();
        double scale = TokenScale.of(target);
        var finished = new ArrayList<>(values);
        for (int head = 0; head < plan.count(); head++) {
            int first = head * HydraProgram.perHead(plan);
            for (int matrix : new int[] {first, first + 2}) {
                finished.set(
                        matrix,
                        TokenScale.folded(values.get(matrix), read(head, hidden), hidden, scale));
            }
        }
        return finished;
    }

    @Override
    public String configJson(DecoderConfig decoder, String target) {
        return HydraConfigJson.of(plan, decoder, target);
    }

    /// Numbers that a head reads: the hidden state, the root's embedding, and one for each token drafted before.
    private static int read(int head, int hidden) {
        return (head + 2) * hidden;
    }

    private static Parameter zeros(String name, long... shape) {
        return Parameter.of(name, new Parameter.Initial.Constant(0), shape);
    }

    private static Parameter identity(String name, int rows, int columns) {
        var values = new float[rows * columns];
        for (int row = 0; row < rows; row++) {
            values[row * columns + row] = 1;
        }
        return Parameter.of(name, new Parameter.Initial.Given(values), rows, columns);
    }
}
