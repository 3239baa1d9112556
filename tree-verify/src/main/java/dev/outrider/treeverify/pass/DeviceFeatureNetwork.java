package dev.outrider.treeverify.pass;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import java.util.List;
import java.util.Optional;

/// A draft layer whose passes run on a device. Features are copied to the device before each run, states and logits from it.
///
/// @param passes of the layer; this object owns them
public record DeviceFeatureNetwork(DeviceNetwork passes) implements FeatureNetwork {
    @Override
    public DecoderConfig config() {
        return passes.config();
    }

    @Override
    public KvCache newCache(int rows) {
        return passes.newCache(rows);
    }

    @Override
    public PassResult forward(RowBlock block, FeatureRows features, PassOutputs outputs) {
        features.check(block.tokens().length, config());
        return passes.forward(List.of(block), outputs, Optional.of(features));
    }

    @Override
    public void close() {
        passes.close();
    }
}
