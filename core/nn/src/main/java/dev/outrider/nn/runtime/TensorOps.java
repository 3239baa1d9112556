package dev.outrider.nn.runtime;

import ai.djl.pytorch.engine.PtNDManager;
import java.util.List;

/// Conversions the engine's arrays do not offer. Thread-safe.
public final class TensorOps {
    private static final String SOURCE =
            """
              def convert(self: __torch__.M, x: Tensor, type: int) -> Tensor:
                return torch.contiguous(torch.to(x, type, False, True))
              def bfloat16_bits(self: __torch__.M, x: Tensor) -> Tensor:
                return torch.view_copy(x, dtype=15)
              def zeros(self: __torch__.M, shape: List[int], type: int) -> Tensor:
                return torch.zeros(shape, dtype=type)
              def reshape(self: __torch__.M, x: Tensor, shape: List[int]) -> Tensor:
                return torch.reshape(x, shape)
              def select(self: __torch__.M, x: Tensor, dim: int, index: int) -> Tensor:
                return torch.contiguous(torch.select(x, dim, index))
              def transpose(self: __torch__.M, x: Tensor) -> Tensor:
                return torch.contiguous(torch.t(x))
              def concatenate(self: __torch__.M, parts: List[Tensor]) -> Tensor:
                return torch.cat(parts, 0)
            """;

    private final TorchScript script = TorchScript.compile(SOURCE);

    private TensorOps() {}

    /// The conversions of this process.
    public static TensorOps get() {
        return Holder.INSTANCE;
    }

    /// A contiguous copy in another element type, in ordinary (not inference) memory.
    public Tensor convert(Tensor tensor, ElementType type, PtNDManager manager) {
        try (var input = TorchValue.of(tensor);
                var code = TorchValue.of(type.torchCode())) {
            return recorded("convert", manager, input, code);
        }
    }

    /// Zeros of any element type, in ordinary memory that passes may write to.
    public Tensor zeros(ElementType type, PtNDManager manager, long... shape) {
        try (var sizes = TorchValue.ofLongs(shape);
                var code = TorchValue.of(type.torchCode())) {
            return recorded("zeros", manager, sizes, code);
        }
    }

    /// Tensors of one element type joined along their first dimension.
    public Tensor concatenate(List<Tensor> parts, PtNDManager manager) {
        try (var list = TorchValue.ofTensors(parts)) {
            return recorded("concatenate", manager, list);
        }
    }

    /// The same elements under another shape.
    public Tensor reshape(Tensor tensor, PtNDManager manager, long... shape) {
        try (var input = TorchValue.of(tensor);
                var sizes = TorchValue.ofLongs(shape)) {
            return recorded("reshape", manager, input, sizes);
        }
    }

    /// The elements at one index of a dimension, which the result lacks.
    public Tensor select(Tensor tensor, int dimension, int index, PtNDManager manager) {
        try (var input = TorchValue.of(tensor);
                var along = TorchValue.of(dimension);
                var at = TorchValue.of(index)) {
            return recorded("select", manager, input, along, at);
        }
    }

    /// A matrix with rows and columns exchanged, contiguous.
    public Tensor transpose(Tensor matrix, PtNDManager manager) {
        try (var input = TorchValue.of(matrix)) {
            return recorded("transpose", manager, input);
        }
    }

    Tensor asBfloat16(Tensor sixteenBits, PtNDManager manager) {
        try (var input = TorchValue.of(sixteenBits)) {
            return recorded("bfloat16_bits", manager, input);
        }
    }

    private Tensor recorded(String method, PtNDManager manager, TorchValue... arguments) {
        TensorThread.enterInference();
        try (var result = script.callRecording(method, arguments)) {
            return result.toTensor(manager);
        }
    }

    private static final class Holder {
        private static final TensorOps INSTANCE = new TensorOps();
    }
}
