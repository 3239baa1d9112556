package dev.outrider.nn.feature;

import dev.outrider.nn.draft.DraftStepper;
import dev.outrider.nn.draft.StepNode;
import dev.outrider.nn.draft.TreeRows;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.spi.HiddenState;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// One round's draft steps of a draft layer: the row of a guess gets the state that its parent's row put out
/// (algorithms A5.3). Scratch rows stay in the cache until the session drops them.
///
/// Confined to one thread. Close it at the end of the round.
final class FeatureStepper implements DraftStepper, AutoCloseable {
    private final FeatureNetwork network;
    private final KvCache cache;
    private final Optional<HiddenState> recycled;
    private final MemorySegment rootLogits;
    private final long stateBytes;
    private final TreeRows rows = new TreeRows();
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment states;
    private int stored;
    private Optional<PassResult> result = Optional.empty();

    /// @param recycled    what is passed on from row to row; nothing if every row gets the root's feature
    /// @param rootLogits  logits of the root's successors
    /// @param rootFeature what their rows get
    /// @param maxRows     most rows a round runs
    FeatureStepper(
            FeatureNetwork network,
            KvCache cache,
            Optional<HiddenState> recycled,
            MemorySegment rootLogits,
            MemorySegment rootFeature,
            int maxRows) {
        this.network = network;
        this.cache = cache;
        this.recycled = recycled;
        this.rootLogits = rootLogits;
        stateBytes = rootFeature.byteSize();
        states = arena.allocate((1L + maxRows) * stateBytes, Float.BYTES);
        store(rootFeature);
    }

    @Override
    public LogitRows root() {
        return _ -> rootLogits;
    }

    @Override
    public LogitRows step(List<StepNode> nodes) {
        close(result);
        var source = recycled.isPresent() ? FeatureRows.Source.RECYCLED : FeatureRows.Source.TARGET;
        var features = new FeatureRows(features(nodes), nodes.size(), source);
        var outputs =
                new PassOutputs(PassOutputs.LogitRows.ALL, recycled.map(Set::of).orElse(Set.of()));
        var pass = network.forward(rows.append(cache, nodes), features, outputs);
        result = Optional.of(pass);
        recycled.ifPresent(state -> {
            for (int row = 0; row < nodes.size(); row++) {
                store(pass.hidden(state, row));
            }
        });
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

    /// The parents' states: where they lie for one node, gathered for several.
    private MemorySegment features(List<StepNode> nodes) {
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

    private MemorySegment parentState(StepNode node) {
        int place = recycled.isPresent() ? node.parentRow() + 1 : 0;
        return states.asSlice(place * stateBytes, stateBytes);
    }

    private void store(MemorySegment state) {
        MemorySegment.copy(state, 0, states, stored * stateBytes, stateBytes);
        stored++;
    }

    private static void close(Optional<PassResult> pass) {
        pass.ifPresent(PassResult::close);
    }
}
