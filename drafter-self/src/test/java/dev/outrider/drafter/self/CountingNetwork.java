package dev.outrider.drafter.self;

import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.LayeredNetwork;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.PassRow;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import java.util.List;
import java.util.Optional;

/// Counts the computation of a network: one row through one layer counts as one. Confined to one
/// thread.
final class CountingNetwork implements LayeredNetwork {
    private final LayeredNetwork network;
    private long drafted;
    private long verified;

    CountingNetwork(LayeredNetwork network) {
        this.network = network;
    }

    /// Returns rows times layers of passes that give logits from below the last layer.
    long drafted() {
        return drafted;
    }

    /// Returns rows times layers of all other passes.
    long verified() {
        return verified;
    }

    @Override
    public int layers() {
        return network.layers();
    }

    @Override
    public KvCache newCache(int rows) {
        return network.newCache(rows);
    }

    @Override
    public PassResult forward(List<RowBlock> blocks, PassOutputs outputs) {
        verified += rows(blocks) * layers();
        return network.forward(blocks, outputs);
    }

    @Override
    public PassResult forward(List<RowBlock> blocks, PassOutputs outputs, LayerSubset layers) {
        long count =
                rows(blocks)
                        * switch (layers) {
                            case LayerSubset.First(int first) -> first;
                            case LayerSubset.Without _ -> layers();
                        };
        if (outputs.logits() == PassOutputs.LogitRows.NONE) {
            verified += count;
        } else {
            drafted += count;
        }
        return network.forward(blocks, outputs, layers);
    }

    @Override
    public PassResult resume(
            List<RowBlock> blocks, PassOutputs outputs, int layer, List<PassRow> rows) {
        verified += rows(blocks) * (layers() - layer);
        return network.resume(blocks, outputs, layer, rows);
    }

    private static long rows(List<RowBlock> blocks) {
        return blocks.stream().mapToInt(block -> block.tokens().length).sum();
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return network.capability(type);
    }

    @Override
    public void close() {
        network.close();
    }
}
