package dev.outrider.nn.runtime;

import ai.djl.engine.EngineException;
import ai.djl.ndarray.types.Shape;

/// Whether prepacked linear layers work on this machine, found out by running one: the operation is missing from
/// some builds of the engine and refuses bfloat16 on processors without the instructions. Thread-safe.
public final class LinearCapability {
    private static final String SOURCE =
            """
              def works(self: __torch__.M, x: Tensor, type: int) -> float:
                w = torch.to(x, type)
                packed = ops.mkldnn._reorder_linear_weight(w, 8)
                y = ops.mkldnn._linear_pointwise(w, packed, None, "none", annotate(List[Optional[number]], []), None)
                z = torch.linear(w, w)
                return torch.item(torch.max(torch.abs(torch.sub(torch.to(y, 6), torch.to(z, 6)))))
            """;

    private static final boolean F32 = works(ElementType.F32);
    private static final boolean BF16 = works(ElementType.BF16);

    private LinearCapability() {}

    /// With 32-bit weights.
    public static boolean f32() {
        return F32;
    }

    /// With bfloat16 weights.
    public static boolean bf16() {
        return BF16;
    }

    private static boolean works(ElementType type) {
        try (var manager = TensorRuntime.newManager();
                var script = TorchScript.compile(SOURCE);
                var ones = TorchValue.of(manager.ones(new Shape(16, 16)));
                var code = TorchValue.of(type.torchCode());
                var difference = script.call("works", ones, code)) {
            return difference.toDouble() < 1e-3;
        } catch (IllegalArgumentException | EngineException e) {
            return false;
        }
    }
}
