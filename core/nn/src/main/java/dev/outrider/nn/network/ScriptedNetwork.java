package dev.outrider.nn.network;

import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TorchValue;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The fast decoder: one native call per pass into TorchScript generated for the configuration, over prepacked
/// weights where the machine has the operation and the matrices are wide enough.
///
/// Projections run over the rows of all sequences at once, attention per sequence. In bfloat16, results differ from
/// those of 32 bits by rounding; in 32 bits from those of `VectorNetwork` by the order of additions.
public final class ScriptedNetwork implements DecoderNetwork, SharedWeights {
    private final ScriptedPasses passes;

    /// Loads and packs all weights in the fastest way for this machine.
    public ScriptedNetwork(DecoderConfig config, WeightSource source, ElementType type) {
        this(config, source, LinearKind.fastest(config, type));
    }

    ScriptedNetwork(DecoderConfig config, WeightSource source, LinearKind kind) {
        if (config.fusion().isPresent()) {
            throw new IllegalArgumentException(
                    "a draft layer takes features: use ScriptedFeatureNetwork");
        }
        passes = new ScriptedPasses(config, source, kind, Optional.empty());
    }

    /// Its architecture.
    public DecoderConfig config() {
        return passes.config();
    }

    /// Element type of weights and caches.
    public ElementType type() {
        return kind().type();
    }

    @Override
    public KvCache newCache(int rows) {
        return passes.newCache(rows);
    }

    @Override
    public TensorResult forward(List<RowBlock> blocks, PassOutputs outputs) {
        return passes.forward(PassPlan.of(blocks, outputs, config()), outputs, List.of());
    }

    @Override
    public int hiddenSize() {
        return config().hiddenSize();
    }

    @Override
    public int vocabularySize() {
        return config().vocabularySize();
    }

    @Override
    public Tensor embed(int[] tokens, PtNDManager manager) {
        try (var ids = TorchValue.ofLongs(Arrays.stream(tokens).asLongStream().toArray())) {
            return passes.lend("embed", ids, manager);
        }
    }

    @Override
    public Tensor head(Tensor hidden, PtNDManager manager) {
        try (var input = TorchValue.of(hidden)) {
            return passes.lend("head", input, manager);
        }
    }

    /// Its embedding and head, unless its head is more than a matrix.
    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return type == SharedWeights.class && config().form().scales().headBias()
                ? Optional.empty()
                : DecoderNetwork.super.capability(type);
    }

    @Override
    public void close() {
        passes.close();
    }

    /// A cache whose rows attend to a source.
    ///
    /// @param states what the encoder made of it, `[length, hiddenSize]`
    KvCache newCache(int rows, Tensor states) {
        return passes.newCache(rows, states);
    }

    LinearKind kind() {
        return passes.kind();
    }

    /// A weight outside the layers; the same memory, another handle.
    Tensor shared(ScriptText.Shared which, PtNDManager manager) {
        return passes.shared(which, manager);
    }
}
