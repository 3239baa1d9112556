package dev.outrider.drafter.hydraplusplus;

import dev.outrider.drafting.head.StateReader;
import dev.outrider.nn.network.FeatureNetwork;

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
}
