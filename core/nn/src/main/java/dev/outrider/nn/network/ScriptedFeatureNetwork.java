package dev.outrider.nn.network;

import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.runtime.TorchValue;
import java.util.List;
import java.util.Optional;

/// The fast draft layer: the same generated code, packed weights and caches as the target's [ScriptedNetwork].
/// What it does not have itself, embedding and head, it reads from the target's memory where that stores numbers
/// the same way.
public final class ScriptedFeatureNetwork implements FeatureNetwork {
    private final ScriptedPasses passes;

    /// Loads and packs all weights in the fastest way for this machine.
    ///
    /// @param config a configuration with [DecoderConfig#fusion]
    /// @param lender the target's network, for layers without embedding or head; it must stay open
    public ScriptedFeatureNetwork(
            DecoderConfig config,
            WeightSource source,
            ElementType type,
            Optional<SharedWeights> lender) {
        this(config, source, LinearKind.fastest(config, type), lender);
    }

    ScriptedFeatureNetwork(
            DecoderConfig config,
            WeightSource source,
            LinearKind kind,
            Optional<SharedWeights> lender) {
        if (config.fusion().isEmpty()) {
            throw new IllegalArgumentException("an ordinary decoder takes no features");
        }
        var borrowed = lender.map(BorrowedWeights::new);
        boolean headBorrowed = !Weight.HEAD.present(config);
        var fitted =
                headBorrowed ? borrowed.map(weights -> weights.fitted(kind)).orElse(kind) : kind;
        passes = new ScriptedPasses(config, source, fitted, borrowed);
    }

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
        var plan = PassPlan.of(List.of(block), outputs, config());
        features.check(plan.rows(), config());
        try (var scratch = TensorRuntime.newManager();
                var tensor =
                        Tensor.ofFloats(
                                scratch, features.memory(), features.rows(), features.width());
                var values = TorchValue.of(tensor);
                var captured = TorchValue.of(features.source() == FeatureRows.Source.TARGET)) {
            return passes.forward(plan, outputs, List.of(values, captured));
        }
    }

    @Override
    public void close() {
        passes.close();
    }
}
