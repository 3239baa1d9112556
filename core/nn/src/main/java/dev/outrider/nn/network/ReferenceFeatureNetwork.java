package dev.outrider.nn.network;

import java.util.List;
import java.util.Optional;

/// A draft layer written for reading, on [ReferenceNetwork]: 32-bit floats, one array operation per formula. The
/// fast one is compared with this one.
public final class ReferenceFeatureNetwork implements FeatureNetwork {
    private final ReferenceNetwork network;

    /// Loads all weights.
    ///
    /// @param config a configuration with [DecoderConfig#fusion]
    /// @param lender the target's network, for layers without embedding or head
    public ReferenceFeatureNetwork(
            DecoderConfig config, WeightSource source, Optional<SharedWeights> lender) {
        if (config.fusion().isEmpty()) {
            throw new IllegalArgumentException("an ordinary decoder takes no features");
        }
        network = new ReferenceNetwork(config, source, lender.map(BorrowedWeights::new));
    }

    @Override
    public DecoderConfig config() {
        return network.config();
    }

    @Override
    public KvCache newCache(int rows) {
        return network.newCache(rows);
    }

    @Override
    public PassResult forward(RowBlock block, FeatureRows features, PassOutputs outputs) {
        var plan = PassPlan.of(List.of(block), outputs, config());
        features.check(plan.rows(), config());
        return network.forward(plan, outputs, Optional.of(features));
    }

    @Override
    public void close() {
        network.close();
    }
}
