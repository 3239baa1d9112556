package dev.outrider.drafter.hydraplusplus;

import dev.outrider.drafting.feature.CapturedRows;
import dev.outrider.drafting.head.StateReader;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// Makes readers of sequences, which share the prefix layer. Thread-safe; owns the network.
record PrefixReaders(FeatureNetwork network) implements StateReader.Factory {
    @Override
    public StateReader reader(int capacity) {
        return new PrefixReader(network, capacity);
    }

    @Override
    public void close() {
        network.close();
    }

    /// The prefix layer of one sequence. Row t of its cache is computed from the target's state of position t and has position t; a
    /// guess has no row. The state that heads read is the layer's output for the position before the root, after its norm.
    ///
    /// Rows wait until that state is asked for. A sequence longer than the layer's positions has no state any more. Confined to
    /// one thread.
    static final class PrefixReader implements StateReader {
        private static final int MAX_ROWS = 128;
        private static final HiddenState STATE = new HiddenState.AfterFinalNorm();

        private final FeatureNetwork layer;
        private final KvCache cache;
        private final CapturedRows waiting;
        private Optional<float[]> state = Optional.empty();
        private boolean outgrown;

        /// @param capacity greatest number of tokens of the sequence
        PrefixReader(FeatureNetwork layer, int capacity) {
            this.layer = layer;
            cache = layer.newCache(Math.min(capacity, layer.config().maxPositions()));
            waiting = new CapturedRows(List.of(STATE), layer.config().hiddenSize());
        }

        @Override
        public void read(HiddenStates states, int index, int next) {
            outgrown |= cache.length() + waiting.size() >= cache.capacity();
            if (outgrown) {
                return;
            }
            if (waiting.size() == MAX_ROWS) {
                run();
            }
            waiting.add(states, index, next);
        }

        @Override
        public Optional<float[]> state() {
            if (outgrown) {
                return Optional.empty();
            }
            if (waiting.size() > 0) {
                run();
            }
            return state;
        }

        private void run() {
            int rows = waiting.size();
            var features = new FeatureRows(waiting.features(), rows, FeatureRows.Source.TARGET);
            var outputs = new PassOutputs(PassOutputs.LogitRows.NONE, Set.of(STATE));
            try (var pass =
                    layer.forward(
                            RowBlock.continuing(cache, waiting.tokens()), features, outputs)) {
                state = Optional.of(pass.hidden(STATE, rows - 1).toArray(ValueLayout.JAVA_FLOAT));
            }
            cache.keep(IntStream.range(0, rows).boxed().toList());
            waiting.clear();
        }

        @Override
        public void close() {
            waiting.close();
            cache.close();
        }
    }
}
