package dev.outrider.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.common.Undo;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.NativeMemory;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.torch.TorchDecoder;
import dev.outrider.torch.TorchNetwork;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// A finished decoder that others learn from: its hidden states and logits over rows of the corpus, computed by the pass of
/// decoding, and its weights. Its outputs have no gradient. Confined to one thread; the caller closes it.
public final class FrozenTarget implements AutoCloseable {
    private final DecoderConfig config;
    private final CheckpointTensors tensors;
    private final CheckpointWeights weights;
    private final DecoderNetwork network;
    private final Precision precision;
    private TargetPasses passes = TargetPasses.none();

    private FrozenTarget(
            DecoderConfig config,
            Precision precision,
            CheckpointTensors tensors,
            CheckpointWeights weights,
            DecoderNetwork network) {
        this.config = config;
        this.precision = precision;
        this.tensors = tensors;
        this.weights = weights;
        this.network = network;
    }

    /// The outputs of a pass over B rows of T tokens. All are 32-bit and may be saved for gradients.
    ///
    /// @param hidden per wanted hidden state, shape `[B, T, hiddenSize]`
    /// @param logits shape `[B*T, V]`, if wanted
    public record Outputs(Map<HiddenState, NDArray> hidden, Optional<NDArray> logits) {
        /// A hidden state that was asked for.
        public NDArray hidden(HiddenState which) {
            var found = hidden.get(which);
            if (found == null) {
                throw new IllegalArgumentException(which + " was not asked for");
            }
            return found;
        }
    }

    /// Loads a checkpoint folder in the Hugging Face layout. No tokenizer is needed.
    ///
    /// @param precision of its matrices inside the pass
    /// @throws OutriderException if files are missing, broken or unsupported
    public static FrozenTarget load(Path folder, Precision precision) {
        var directory = new Checkpoint(folder);
        var model = ModelConfig.read(directory);
        if (model.encoder().isPresent()) {
            throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                    "'%s' is an encoder-decoder; heads and draft layers are trained on a decoder alone, and so is what learns from one"
                            .formatted(folder),
                    "Use 'train encoder-decoder' with 'distillation' for a smaller encoder-decoder that drafts for it.");
        }
        var config = model.decoder();
        var tensors = directory.openTensors();
        return Undo.onFailure(
                tensors::close,
                () -> {
                    var weights = CheckpointWeights.of(config, tensors, model.quantisation());
                    DecoderMemory.of(config, weights, precision)
                            .require(
                                    "target '%s'".formatted(folder),
                                    config.maxPositions(),
                                    NativeMemory.availableBytes());
                    return new FrozenTarget(
                            config,
                            precision,
                            tensors,
                            weights,
                            network(config, weights, precision));
                });
    }

    /// Returns the network of training, which is faster for hundreds of rows; Java's vector code for the architectures and formats
    /// that it does not support.
    private static DecoderNetwork network(
            DecoderConfig config, CheckpointWeights weights, Precision precision) {
        boolean torch =
                TorchDecoder.computes(config)
                        && (precision == Precision.F32 || precision == Precision.BF16);
        return torch
                ? new TorchNetwork(config, weights, precision)
                : new VectorNetwork(config, weights, precision);
    }

    /// Its architecture.
    public DecoderConfig config() {
        return config;
    }

    /// Digest of its weights, as [CheckpointTensors#digest].
    public String digest() {
        return tensors.digest();
    }

    /// Returns the number format of its matrices.
    Precision precision() {
        return precision;
    }

    /// Sets the store that keeps passes, or returns stored ones.
    void use(TargetPasses between) {
        passes = between;
    }

    /// Runs one pass over rows, each a separate sequence from position 0.
    ///
    /// @param states  hidden states wanted
    /// @param logits  whether logits are wanted
    /// @param manager owner of the result
    public Outputs forward(
            TokenRows rows, Set<HiddenState> states, boolean logits, PtNDManager manager) {
        return passes.of(rows, states, logits, manager, () -> pass(rows, states, logits, manager));
    }

    private Outputs pass(
            TokenRows rows, Set<HiddenState> states, boolean logits, PtNDManager manager) {
        var caches = new ArrayList<KvCache>();
        try {
            var blocks = new ArrayList<RowBlock>();
            for (int row = 0; row < rows.rows(); row++) {
                caches.add(network.newCache(rows.width()));
                blocks.add(RowBlock.continuing(caches.getLast(), rows.row(row)));
            }
            var wanted = logits ? PassOutputs.LogitRows.ALL : PassOutputs.LogitRows.NONE;
            try (var result = network.forward(blocks, new PassOutputs(wanted, states))) {
                return outputs(result, rows, states, logits, manager);
            }
        } finally {
            caches.forEach(KvCache::close);
        }
    }

    /// A weight as 32-bit floats, for a learner's constants or initial values.
    ///
    /// @param weight one that the decoder has; [Weight#HEAD] gives the embedding if the head is tied
    /// @param layer  counts from 0; 0 for weights that are not per layer
    /// @param owner  of the result
    public NDArray weight(Weight weight, int layer, PtNDManager owner) {
        var stored = weight == Weight.HEAD && config.tiedHead() ? Weight.EMBEDDING : weight;
        var numbers = new float[Math.toIntExact(stored.elements(config, layer))];
        weights.read(
                stored,
                layer,
                floats ->
                        MemorySegment.copy(
                                floats, ValueLayout.JAVA_FLOAT, 0, numbers, 0, numbers.length));
        return owner.create(numbers, new Shape(stored.shape(config, layer)));
    }

    @Override
    public void close() {
        network.close();
        tensors.close();
    }

    private Outputs outputs(
            PassResult result,
            TokenRows rows,
            Set<HiddenState> states,
            boolean logits,
            PtNDManager manager) {
        var hidden = new HashMap<HiddenState, NDArray>();
        int size = config.hiddenSize();
        for (var state : states) {
            var copy = copied(result.rows(), size, row -> result.hidden(state, row), manager);
            hidden.put(state, copy.reshape(rows.rows(), rows.width(), size));
        }
        return new Outputs(
                hidden,
                logits
                        ? Optional.of(
                                copied(
                                        result.rows(),
                                        config.vocabularySize(),
                                        result::logits,
                                        manager))
                        : Optional.empty());
    }

    /// An array of rows, `[rows, width]`.
    private static NDArray copied(
            int rows, int width, IntFunction<MemorySegment> row, PtNDManager manager) {
        var numbers = new float[Math.multiplyExact(rows, width)];
        for (int index = 0; index < rows; index++) {
            MemorySegment.copy(
                    row.apply(index), ValueLayout.JAVA_FLOAT, 0, numbers, index * width, width);
        }
        return manager.create(numbers, new Shape(rows, width));
    }

    /// Stores the passes of a frozen target, or returns stored ones. Confined as the target.
    @FunctionalInterface
    interface TargetPasses {
        /// Returns the outputs of a pass over rows.
        ///
        /// @param states   hidden states wanted
        /// @param logits   whether logits are wanted
        /// @param manager  owner of the result
        /// @param computed the pass itself
        FrozenTarget.Outputs of(
                TokenRows rows,
                Set<HiddenState> states,
                boolean logits,
                PtNDManager manager,
                Supplier<FrozenTarget.Outputs> computed);

        /// Computes every pass.
        static TargetPasses none() {
            return (_, _, _, _, computed) -> computed.get();
        }
    }
}
