package dev.outrider.drafter.hydraplusplus;

import dev.outrider.drafting.head.StateReader;
import dev.outrider.nn.network.FeatureNetwork;

/// The prefix layer of all sequences. Thread-safe; owns the network.
record PrefixLayer(FeatureNetwork network) implements StateReader.Maker {
    @Override
    public StateReader reader(int capacity) {
        return new PrefixReader(network, capacity);
    }

    @Override
    public void close() {
        network.close();
    }
}
