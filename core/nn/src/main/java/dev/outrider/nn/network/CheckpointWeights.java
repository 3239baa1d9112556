package dev.outrider.nn.network;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorOps;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// The weights of a checkpoint in the Hugging Face layout of the Llama family.
///
/// Thread-safe.
public final class CheckpointWeights implements WeightSource {
    private static final int ALIGNMENT = 4;

    private final DecoderConfig config;
    private final CheckpointTensors tensors;
    private final WeightNaming names;
    private final WeightInventory inventory;

    /// The weights of a whole model.
    ///
    /// @param config  the architecture; the files are checked against it at once
    /// @param tensors the files; must stay open while weights are loaded
    /// @throws OutriderException `CHECKPOINT_INCOMPLETE` if a tensor is missing, `CHECKPOINT_SHAPE_MISMATCH`,
    ///                           `CHECKPOINT_UNSUPPORTED` if the files hold what the architecture has not, such as biases
    ///                           or further layers
    public CheckpointWeights(DecoderConfig config, CheckpointTensors tensors) {
        this(config, tensors, WeightNames.in(tensors.names()));
        inventory.requireNothingElse();
    }

    /// The weights of a part of a checkpoint, or of one in another layout.
    ///
    /// @param names what the layout calls the weights
    /// @throws OutriderException as the other constructor, but further tensors may be there
    public CheckpointWeights(DecoderConfig config, CheckpointTensors tensors, WeightNaming names) {
        this.config = config;
        this.tensors = tensors;
        this.names = names;
        inventory = new WeightInventory(config, tensors, names);
    }

    /// Names of the tensors that weights are made of.
    public Set<String> read() {
        return inventory.read();
    }

    @Override
    public Tensor load(Weight weight, int layer, ElementType type, PtNDManager manager) {
        var parts = parts(weight, layer);
        long[] shape = weight.shape(config, layer);
        shape[0] /= parts.size();
        if (parts.size() == 1) {
            return load(parts.getFirst(), shape, type, manager);
        }
        try (var scratch = TensorRuntime.newManager()) {
            return TensorOps.get()
                    .concatenate(
                            parts.stream().map(part -> load(part, shape, type, scratch)).toList(),
                            manager);
        }
    }

    private List<String> parts(Weight weight, int layer) {
        var parts = names.names(weight, layer);
        if (parts.isEmpty()) {
            throw new IllegalArgumentException(
                    "the layout of '%s' has no %s".formatted(tensors.source(), weight));
        }
        return parts;
    }

    /// Reads the file itself: no tensor engine is needed.
    @Override
    public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
        var parts = parts(weight, layer);
        long[] shape = weight.shape(config, layer);
        shape[0] /= parts.size();
        try (var arena = Arena.ofConfined()) {
            long bytes = weight.elements(config, layer) * Float.BYTES;
            var floats = arena.allocate(bytes, Float.BYTES);
            long at = 0;
            for (var part : parts) {
                var stored = tensors.tensor(part, shape);
                long size = stored.elements() * Float.BYTES;
                stored.toFloats(floats.asSlice(at, size));
                at += size;
            }
            reader.accept(floats);
        }
    }

    private Tensor load(String name, long[] shape, ElementType type, PtNDManager manager) {
        try (var raw = view(tensors.tensor(name, shape), shape, manager)) {
            return TensorOps.get().convert(raw, type, manager);
        }
    }

    /// The stored numbers as a tensor: in place where the engine can read them, else copied.
    private static Tensor view(StoredTensor stored, long[] shape, PtNDManager manager) {
        if (stored.type() == TensorType.BF16) {
            return Tensor.ofBfloat16Bits(manager, stored.data(), shape);
        }
        if (stored.type() == TensorType.F32 && aligned(stored.data())) {
            return Tensor.ofFloats(manager, stored.data(), shape);
        }
        return Tensor.of(manager.create(stored.toFloats(), new Shape(shape)));
    }

    private static boolean aligned(MemorySegment data) {
        return data.isNative() && data.address() % ALIGNMENT == 0;
    }
}
