package dev.outrider.drafter.smallmodel;

import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import java.util.List;

/// A network that counts its passes. One thread at a time.
final class CountingNetwork implements DecoderNetwork {
    private final DecoderNetwork network;
    private volatile int passes;

    CountingNetwork(DecoderNetwork network) {
        this.network = network;
    }

    /// Passes so far.
    int passes() {
        return passes;
    }

    @Override
    public KvCache newCache(int rows) {
        return network.newCache(rows);
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time
    public PassResult forward(List<RowBlock> blocks, PassOutputs outputs) {
        passes++;
        return network.forward(blocks, outputs);
    }

    @Override
    public void close() {
        network.close();
    }
}
