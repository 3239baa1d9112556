package dev.outrider.drafting.feature;

import dev.outrider.drafting.StepInput;
import dev.outrider.drafting.TreeRows;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.RowBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// One layer's rows of one round's guesses and the states they put out, the root's first.
///
/// A sequence shorter than the number of layers leaves later layers without rows for the first levels; their rows
/// are then counted from the first level they have.
final class GuessedRows {
    private static final int NONE = -1;

    private final TreeRows tree = new TreeRows();
    private final boolean rootKnown;
    private final long stateBytes;
    private final MemorySegment states;
    private final Arena arena;
    private int stored;
    private int firstLevel = NONE;
    private int lastLevel;
    private int rowsBefore;

    /// @param rootState the root's state, if `rootKnown`
    /// @param maxRows   most rows a round runs
    /// @param arena     owner of the states
    GuessedRows(MemorySegment rootState, boolean rootKnown, int maxRows, Arena arena) {
        this.rootKnown = rootKnown;
        this.arena = arena;
        stateBytes = rootState.byteSize();
        states = arena.allocate((1L + maxRows) * stateBytes, Float.BYTES);
        store(rootState);
    }

    /// Whether the layer has states of a level; level 0 is the root.
    boolean hasLevel(int depth) {
        return depth == 0
                ? rootKnown
                : firstLevel != NONE && depth >= firstLevel && depth <= lastLevel;
    }

    void ranLevel(int depth) {
        lastLevel = depth;
    }

    /// The rows of the next level.
    ///
    /// @param rows rows of the round before this level, counted as [StepInput#parentRow] does
    RowBlock block(KvCache cache, List<StepInput> nodes, int rows) {
        if (firstLevel == NONE) {
            firstLevel = nodes.getFirst().depth();
            rowsBefore = rows;
        }
        return tree.append(cache, nodes.stream().map(this::own).toList());
    }

    /// The parents' states: where they lie for one node, gathered for several.
    MemorySegment states(List<StepInput> nodes) {
        if (nodes.size() == 1) {
            return parentState(nodes.getFirst());
        }
        var gathered = arena.allocate(nodes.size() * stateBytes, Float.BYTES);
        for (int index = 0; index < nodes.size(); index++) {
            MemorySegment.copy(
                    parentState(nodes.get(index)), 0, gathered, index * stateBytes, stateBytes);
        }
        return gathered;
    }

    /// The root's state as often as asked for.
    MemorySegment rootStates(int count) {
        var repeated = arena.allocate(count * stateBytes, Float.BYTES);
        for (int index = 0; index < count; index++) {
            MemorySegment.copy(states, 0, repeated, index * stateBytes, stateBytes);
        }
        return repeated;
    }

    void store(MemorySegment state) {
        MemorySegment.copy(state, 0, states, stored * stateBytes, stateBytes);
        stored++;
    }

    private MemorySegment parentState(StepInput node) {
        int place = node.parentRow() == StepInput.ROOT ? 0 : node.parentRow() - rowsBefore + 1;
        return states.asSlice(place * stateBytes, stateBytes);
    }

    /// A node as the layer counts it.
    private StepInput own(StepInput node) {
        boolean parentHere = node.parentRow() >= rowsBefore;
        return new StepInput(
                node.token(),
                parentHere ? node.parentRow() - rowsBefore : StepInput.ROOT,
                node.depth() - skippedLevels());
    }

    private int skippedLevels() {
        return firstLevel - 1;
    }
}
