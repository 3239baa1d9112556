package dev.outrider.training.head;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.engine.PtNDManager;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.torch.TorchScript;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/// Heads of Hydra and Hydra++ in training, teacher-forced: the tokens that they read are the text's. Their initial value is the
/// identity on the state that they read; their own projections are initialised with the target's head. Head i reads the state of
/// position t and the embeddings of tokens t + 1 to t + i + 1. `hydra-heads.torchscript` has the forward pass and describes the
/// parameters.
///
/// @see "Ankner et al. 2024 (Hydra), sections 3 and 4"
public abstract class HydraTokenHeads extends TokenHeads {
    private final Names names;

    /// Names of the linear layers of a layout, without `.weight` and `.bias`.
    ///
    /// @param block      name of a block's layer
    /// @param residual   name of the matrix beside a head's first block
    /// @param projection name of a head's own projection
    public record Names(Block block, IntFunction<String> residual, IntFunction<String> projection) {
        /// Names blocks.
        @FunctionalInterface
        public interface Block {
            /// Returns the name of a head's block.
            String of(int head, int block);
        }
    }

    /// @throws IllegalArgumentException if rows are too short for the last head to learn anything
    protected HydraTokenHeads(FrozenTarget target, FrozenTargetKeys keys, Plan plan, Names names) {
        super(target, keys, plan);
        this.names = names;
    }

    /// Returns the number of blocks of a head that have parameters; the last of them is used for the others.
    protected abstract int storedBlocks();

    /// Returns the name of the architecture in `config.json`.
    protected abstract String architecture();

    /// Returns the parameters of all heads.
    protected final List<Parameter> headParameters() {
        int hidden = hidden();
        var list = new ArrayList<Parameter>();
        for (int head = 0; head < plan().count(); head++) {
            int read = read(head);
            var residual = names.residual().apply(head);
            addZeros(list, names.block().of(head, 0), hidden, read);
            list.add(identity(residual + ".weight", hidden, read));
            list.add(HeadParameters.zeros(residual + ".bias", hidden));
            for (int block = 1; block < storedBlocks(); block++) {
                addZeros(list, names.block().of(head, block), hidden, hidden);
            }
            if (plan().projection() == Projection.OWN) {
                var name = names.projection().apply(head);
                list.add(copiedHead(name + ".weight"));
                list.add(HeadParameters.zeros(name + ".bias", vocabulary()));
            }
        }
        return list;
    }

    /// Returns TorchScript with the method `hydra_heads`.
    protected final String hydraHeads() {
        return TorchScript.resource(HydraTokenHeads.class, "hydra-heads")
                + constants(plan())
                + TorchScript.constants(Map.of("stored_blocks", storedBlocks()));
    }

    /// Returns the embeddings at the size of hidden states, then the target's head if heads use it.
    @Override
    public List<NDArray> constants(PtNDManager manager) {
        var constants = new ArrayList<NDArray>();
        constants.add(TokenScale.embeddings(target(), manager));
        constants.addAll(super.constants(manager));
        return constants;
    }

    /// Returns the values of all parameters, those of the heads last, for embeddings without scaling.
    @Override
    public List<float[]> finished(List<float[]> values) {
        double scale = TokenScale.of(target());
        int perHead = 2 + 2 * storedBlocks() + (plan().projection() == Projection.OWN ? 2 : 0);
        int first = values.size() - perHead * plan().count();
        var finished = new ArrayList<>(values);
        for (int head = 0; head < plan().count(); head++) {
            for (int matrix : new int[] {first, first + 2}) {
                finished.set(
                        matrix, TokenScale.folded(values.get(matrix), read(head), hidden(), scale));
            }
            first += perHead;
        }
        return finished;
    }

    /// Adds the keys that all of these heads have to a `config.json`, and returns it.
    protected final ObjectNode describeHydra(ObjectNode json) {
        json.put("hydra_num_heads", plan().count());
        json.put("hydra_num_layers", plan().layers());
        json.put("hydra_head_arch", architecture());
        json.put("grounded_heads", true);
        json.put("hidden_state_offset", 0);
        return describe(json);
    }

    /// Returns the width of a head's input: the state, the root's embedding, and one for each token drafted before.
    private int read(int head) {
        return (head + 2) * hidden();
    }

    private static Parameter identity(String name, int rows, int columns) {
        var values = new float[rows * columns];
        for (int row = 0; row < rows; row++) {
            values[row * columns + row] = 1;
        }
        return Parameter.of(name, new Parameter.Initial.Given(values), rows, columns);
    }
}
