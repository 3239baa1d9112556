package dev.outrider.drafter.medusa.sequence;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import dev.outrider.training.head.HeadParameters;
import dev.outrider.training.head.TokenHeads;
import dev.outrider.training.head.TokenScale;
import java.util.ArrayList;
import java.util.List;

/// Hydra's heads in training, after the text's own tokens. They start as the identity on the hidden state, and projections of
/// their own as the target's head. Head i reads the hidden state of position t and the embeddings of tokens t + 1 to
/// t + i + 1.
///
/// Parameters: per head a weight `[d, (i + 2) d]` and a bias `[d]` of the first block, the same of the matrix beside it, a
/// weight `[d, d]` and a bias of each further block, then a projection `[V, d]` and its bias `[V]` if it has one of its own.
/// Constants: embeddings `[V, d]`, then the target's head `[V, d]` otherwise.
///
/// @see "Ankner et al. 2024 (Hydra), sections 3 and 4"
final class TrainedHydra extends TokenHeads {
    TrainedHydra(FrozenTarget target, FrozenTargetKeys keys, Plan plan) {
        super(target, keys, plan);
    }

    @Override
    public List<Parameter> parameters() {
        int hidden = hidden();
        var list = new ArrayList<Parameter>();
        for (int head = 0; head < plan().count(); head++) {
            int read = read(head, hidden);
            addZeros(list, HydraCheckpoint.blockName(head, 0), hidden, read);
            var residual = HydraCheckpoint.residualName(head);
            list.add(identity(residual + ".weight", hidden, read));
            list.add(HeadParameters.zeros(residual + ".bias", hidden));
            for (int layer = 1; layer < plan().layers(); layer++) {
                addZeros(list, HydraCheckpoint.blockName(head, layer), hidden, hidden);
            }
            if (plan().projection() == Projection.OWN) {
                var name = HydraCheckpoint.projectionName(head);
                list.add(copiedHead(name + ".weight"));
                list.add(HeadParameters.zeros(name + ".bias", vocabulary()));
            }
        }
        return list;
    }

    @Override
    public List<NDArray> constants(PtNDManager manager) {
        var constants = new ArrayList<NDArray>();
        constants.add(TokenScale.embeddings(target(), manager));
        constants.addAll(super.constants(manager));
        return constants;
    }

    @Override
    public List<float[]> finished(List<float[]> values) {
        int hidden = hidden();
        double scale = TokenScale.of(target());
        var finished = new ArrayList<>(values);
        for (int head = 0; head < plan().count(); head++) {
            int first = head * perHead();
            for (int matrix : new int[] {first, first + 2}) {
                finished.set(
                        matrix,
                        TokenScale.folded(values.get(matrix), read(head, hidden), hidden, scale));
            }
        }
        return finished;
    }

    @Override
    public String configJson(int endOfText) {
        var json = HeadJson.object();
        json.put("model_type", "hydra");
        json.put("hydra_num_heads", plan().count());
        json.put("hydra_num_layers", plan().layers());
        json.put("hydra_head_arch", "mlp");
        json.put("grounded_heads", true);
        json.put("hidden_state_offset", 0);
        return HeadJson.text(describe(json));
    }

    @Override
    protected String heads() {
        return TorchScript.resource(TrainedHydra.class, "hydra") + constants(plan());
    }

    /// Returns the number of parameters of one head.
    private int perHead() {
        return 2 + 2 * plan().layers() + (plan().projection() == Projection.OWN ? 2 : 0);
    }

    /// Returns how many numbers a head reads: the hidden state, the root's embedding, and one for each token drafted before.
    private static int read(int head, int hidden) {
        return (head + 2) * hidden;
    }

    private static Parameter identity(String name, int rows, int columns) {
        var values = new float[rows * columns];
        for (int row = 0; row < rows; row++) {
            values[row * columns + row] = 1;
        }
        return Parameter.of(name, new Parameter.Initial.Given(values), rows, columns);
    }
}
