package dev.outrider.drafter.medusa.sequence;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.drafter.medusa.HeadPlan;
import dev.outrider.drafter.medusa.HeadProgram;
import dev.outrider.drafter.medusa.TrainedHeads;
import dev.outrider.drafting.head.HeadJson;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import dev.outrider.training.head.HeadParameters;
import java.util.ArrayList;
import java.util.List;

/// Hydra's heads in training, after the text's own tokens. They start as the identity on the hidden state, and projections of
/// their own as the target's head. Head i reads the hidden state of position t and the embeddings of tokens t + 1 to
/// t + i + 1.
///
/// Parameters: per head a weight `[d, (i + 2) d]` and a bias `[d]` of the first block, the same of the matrix beside it, a
/// weight `[d, d]` and a bias of each further block, then a projection `[V, d]` and its bias `[V]` if it has one of its own.
/// Constants: embeddings `[V, d]`, then the target's head `[V, d]` otherwise. Inputs as [HeadProgram] has them.
///
/// @see "Ankner et al. 2024 (Hydra), sections 3 and 4"
final class TrainedHydra extends TrainedHeads {
    TrainedHydra(FrozenTarget target, FrozenTargetKeys keys, HeadPlan plan) {
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
            if (plan().projection() == HeadPlan.Projection.OWN) {
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
        var text = new StringBuilder(HeadProgram.BEGIN);
        text.append("    e = torch.embedding(c[0], x[1])\n");
        for (int head = 0; head < plan().count(); head++) {
            int first = head * perHead();
            text.append(
                    """
                        n = torch.sub(torch.size(x[1], 1), %d)
                        s = torch.cat([%s], 2)
                        s = %s
                        y = torch.add(torch.add(self.linear(s, p[%d]), p[%d]), torch.silu(torch.add(self.linear(s, p[%d]), p[%d])))
                    """
                            .formatted(
                                    head + 2,
                                    read(head),
                                    HeadProgram.learned(
                                            "torch.reshape(s, [-1, torch.size(s, 2)])", head),
                                    first + 2,
                                    first + 3,
                                    first,
                                    first + 1));
            for (int layer = 1; layer < plan().layers(); layer++) {
                text.append(HeadProgram.block("y", first + 2 + 2 * layer));
            }
            int projection = first + 2 + 2 * plan().layers();
            text.append(
                    HeadProgram.guess(
                            switch (plan().projection()) {
                                case OWN ->
                                        "torch.add(self.linear(y, p[%d]), p[%d])"
                                                .formatted(projection, projection + 1);
                                case TARGET -> "self.linear(y, c[1])";
                            }));
        }
        return text + HeadProgram.END;
    }

    /// Returns the number of parameters of one head.
    private int perHead() {
        return 2 + 2 * plan().layers() + (plan().projection() == HeadPlan.Projection.OWN ? 2 : 0);
    }

    /// Returns what a head reads, as a list: hidden states, then embeddings from one place to `head + 1` places later.
    private static String read(int head) {
        var parts = new StringBuilder("torch.slice(x[0], 1, 0, n)");
        for (int later = 1; later <= head + 1; later++) {
            parts.append(", torch.slice(e, 1, %d, torch.add(n, %d))".formatted(later, later));
        }
        return parts.toString();
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
