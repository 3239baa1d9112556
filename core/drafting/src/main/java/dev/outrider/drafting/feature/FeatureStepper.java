package dev.outrider.drafting.feature;

import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.StepInput;
import dev.outrider.drafting.TreeRows;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.FeatureRows.Source;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// One round's draft steps: the row of a guess gets the state that its parent's row output (docs/reference/algorithms.md A5.3).
///
/// With D layers, layer d + 1 predicts the token after a guess at depth d; its row reads layer d's state of the parent.
/// The later layers run rows for the guess too, because rows of later guesses attend to them. From depth D on the last
/// layer reads its own states (docs/reference/algorithms.md A7.1). Scratch rows stay in the caches until the session drops them.
///
/// Confined to one thread. Close it at the end of the round.
final class FeatureStepper implements DraftStepper, AutoCloseable {
    private final FeatureModules modules;
    private final Arena arena = Arena.ofConfined();
    private final List<GuessedRows> guessed;
    private int rows;
    private Optional<PassResult> result = Optional.empty();

    /// @param modules after a feed that asked for the root
    /// @param maxRows most rows of a round
    FeatureStepper(FeatureModules modules, int maxRows) {
        this.modules = modules;
        guessed =
                IntStream.range(0, modules.size())
                        .mapToObj(module ->
                                new GuessedRows(
                                        modules.rootState(module),
                                        modules.rootKnown(module),
                                        maxRows,
                                        arena))
                        .toList();
    }

    @Override
    public LogitRows root() {
        return _ -> modules.rootLogits();
    }

    @Override
    public LogitRows step(List<StepInput> nodes) {
        close(result);
        int depth = nodes.getFirst().depth();
        int last = modules.size() - 1;
        int first = Math.min(depth, last);
        // Later layers first: a layer reads the earlier layer's states of the level above.
        for (int module = last; module > first; module--) {
            var given = guessed.get(module - 1);
            if (given.hasLevel(depth - 1)) {
                run(module, given, nodes, depth, false).close();
            }
        }
        var given = depth <= last ? guessed.get(first - 1) : guessed.get(last);
        var pass = run(first, given, nodes, depth, true);
        result = Optional.of(pass);
        rows += nodes.size();
        return pass::logits;
    }

    @Override
    public void close() {
        close(result);
        result = Optional.empty();
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    /// Runs a layer's rows of a level.
    ///
    /// @param given the rows of the parents, whose states are read
    private PassResult run(
            int module, GuessedRows given, List<StepInput> nodes, int depth, boolean logits) {
        var own = guessed.get(module);
        boolean chained = given == own;
        var source = chained && modules.recycled().isEmpty() ? Source.TARGET : Source.RECYCLED;
        var features =
                source == Source.TARGET ? given.rootStates(nodes.size()) : given.states(nodes);
        boolean passesOn = module < modules.size() - 1;
        var state = passesOn ? Optional.of(modules.passedOn()) : modules.recycled();
        var pass =
                modules.network(module)
                        .forward(
                                own.block(modules.cache(module), nodes, rows),
                                new FeatureRows(features, nodes.size(), source),
                                new PassOutputs(
                                        logits
                                                ? PassOutputs.LogitRows.ALL
                                                : PassOutputs.LogitRows.NONE,
                                        state.map(Set::of).orElse(Set.of())));
        own.ranLevel(depth);
        state.ifPresent(which -> {
            for (int row = 0; row < nodes.size(); row++) {
                own.store(pass.hidden(which, row));
            }
        });
        return pass;
    }

    private static void close(Optional<PassResult> pass) {
        pass.ifPresent(PassResult::close);
    }

    /// One layer's rows of one round's guesses and their output states, the root's first.
    ///
    /// A sequence shorter than the number of layers leaves later layers without rows for the first levels; their rows
    /// are then counted from the first level they have.
    private static final class GuessedRows {
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
        /// @param maxRows   most rows of a round
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
        /// @param rows rows of the round before this level, counted as in [StepInput#parentRow]
        RowBlock block(KvCache cache, List<StepInput> nodes, int rows) {
            if (firstLevel == NONE) {
                firstLevel = nodes.getFirst().depth();
                rowsBefore = rows;
            }
            return tree.append(cache, nodes.stream().map(this::own).toList());
        }

        /// Returns the parents' states: without a copy for one node, gathered for several.
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

        /// Returns several copies of the root's state.
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

        /// Returns a node with the layer's own counting of rows.
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
}
