package dev.outrider.drafter.smallmodel;

import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import java.util.List;

/// A network that only records whether it was closed.
final class ClosingNetwork implements DecoderNetwork {
    boolean closed;

    @Override
    public KvCache newCache(int rows) {
        throw new AssertionError("not used");
    }

    @Override
    public PassResult forward(List<RowBlock> blocks, PassOutputs outputs) {
        throw new AssertionError("not used");
    }

    @Override
    public void close() {
        closed = true;
    }
}
