package dev.outrider.drafter.hydraplusplus;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Weight;
import dev.outrider.torch.LayerScript;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import dev.outrider.training.head.HeadParameters;
import dev.outrider.training.head.TokenHeads;
import dev.outrider.training.head.TokenScale;
import java.util.ArrayList;
import java.util.List;

/// The prefix layer and the heads in training; `hydra-plus-plus.torchscript` has the forward pass and describes the parameters.
/// Heads begin as the identity on the prefix layer's state, projections of their own as the target's head.
///
/// @see "Ankner et al. 2024 (Hydra), section 4"
final class TrainedPrefix extends TokenHeads {
    /// Parameters of the prefix layer, its norm included.
    private static final int PREFIX = LayerScript.PARAMETERS + 1;

    private final FrozenTargetKeys keys;
    private final DecoderConfig layer;

    /// @throws IllegalArgumentException if rows are too short for the last head to learn anything
    TrainedPrefix(FrozenTarget target, FrozenTargetKeys keys, Plan plan) {
        super(target, keys, plan);
        this.keys = keys;
        layer = PrefixLayout.layerFor(target.config());
    }

    @Override
    public List<Parameter> parameters() {
        int hidden = hidden();
        var list =
                new ArrayList<>(
                        HeadParameters.ordinary(layer, PrefixLayout.LAYER.replace("N", "0")));
        list.add(
                Parameter.of(
                        PrefixLayout.NORM, new Parameter.Initial.Constant(stateSize()), hidden));
        for (int head = 0; head < plan().count(); head++) {
            int read = (head + 2) * hidden;
            addZeros(list, PrefixLayout.block(head, 0), hidden, read);
            list.add(identity(PrefixLayout.residual(head) + ".weight", hidden, read));
            list.add(HeadParameters.zeros(PrefixLayout.residual(head) + ".bias", hidden));
            if (plan().layers() > 1) {
                addZeros(list, PrefixLayout.block(head, 1), hidden, hidden);
            }
            if (plan().projection() == Projection.OWN) {
                var name = PrefixLayout.projection(head);
                list.add(copiedHead(name + ".weight"));
                list.add(HeadParameters.zeros(name + ".bias", vocabulary()));
            }
        }
        return list;
    }

    @Override
    protected String heads() {
        return LayerScript.methods(layer)
                + TorchScript.resource(TrainedPrefix.class, "hydra-plus-plus")
                + constants(plan());
    }

    @Override
    public List<NDArray> constants(PtNDManager manager) {
        int positions = keys.training().contextTokens() + 1;
        var shape = new Shape(positions, 1, layer.headSize());
        var parts = new HeadParameters(target(), layer, keys.training().seed());
        var constants = new ArrayList<>(parts.constants(shape, manager));
        constants.set(0, TokenScale.embeddings(target(), manager));
        return constants;
    }

    @Override
    public List<float[]> finished(List<float[]> values) {
        int hidden = hidden();
        double scale = TokenScale.of(target());
        int perHead = (values.size() - PREFIX) / plan().count();
        var finished = new ArrayList<>(values);
        for (int head = 0; head < plan().count(); head++) {
            int first = PREFIX + head * perHead;
            for (int matrix : new int[] {first, first + 2}) {
                finished.set(
                        matrix,
                        TokenScale.folded(values.get(matrix), (head + 2) * hidden, hidden, scale));
            }
        }
        return finished;
    }

    @Override
    public String configJson(int endOfText) {
        var json = describe(HeadJson.ofLayers(layer, endOfText, keys.storage().type()));
        json.put("hydra_num_heads", plan().count());
        json.put("hydra_num_layers", plan().layers());
        json.put("hydra_head_arch", "prefix-mlp");
        json.put("grounded_heads", true);
        json.put("hidden_state_offset", 0);
        return HeadJson.text(json);
    }

    /// Returns the root mean square of the target's hidden states.
    private float stateSize() {
        try (var manager = TensorRuntime.newManager()) {
            var norm = weight(Weight.FINAL_NORM, manager);
            return (float) Math.sqrt(norm.mul(norm).mean().getFloat());
        }
    }

    private static Parameter identity(String name, int rows, int columns) {
        var values = new float[rows * columns];
        for (int row = 0; row < rows; row++) {
            values[row * columns + row] = 1;
        }
        return Parameter.of(name, new Parameter.Initial.Given(values), rows, columns);
    }
}
