package dev.outrider.nn.runtime;

import ai.djl.engine.EngineException;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;

/// Linear layers whose weights are laid out in advance for few rows, which makes a pass over eight rows cost little
/// more than one over a single row. Thread-safe.
///
/// Whether they work on this machine is found out by running one: the operation is missing from some builds of the
/// engine and refuses bfloat16 on processors without the instructions.
public final class PrepackedLinear {
    /// Rows the layout is made for. Other numbers of rows work too.
    private static final int ROWS = 8;

    private static final int NARROWEST_F32 = 256;

    private static final String SOURCE =
            """
              def pack(self: __torch__.M, w: Tensor) -> Tensor:
                return ops.mkldnn._reorder_linear_weight(w, %d)
              def works(self: __torch__.M, x: Tensor, type: int) -> float:
                w = torch.to(x, type)
                y = %s
                z = torch.linear(w, w)
                return torch.item(torch.max(torch.abs(torch.sub(torch.to(y, 6), torch.to(z, 6)))))
            """
                    .formatted(ROWS, expression("w", "self.pack(w)", "None"));

    private static final boolean F32 = tryOut(ElementType.F32);
    private static final boolean BF16 = tryOut(ElementType.BF16);

    private PrepackedLinear() {}

    /// Whether prepacked weights of a type work here.
    public static boolean works(ElementType type) {
        return switch (type) {
            case F32 -> F32;
            case BF16 -> BF16;
        };
    }

    /// Whether prepacked weights work here and are the faster ones for matrices of this input width. A prepacked call has
    /// a fixed cost of some 14 microseconds, which narrower 32-bit matrices do not win back; in bfloat16 the ordinary
    /// operation's fixed cost is higher still.
    public static boolean pays(ElementType type, int width) {
        boolean wide =
                switch (type) {
                    case F32 -> width >= NARROWEST_F32;
                    case BF16 -> true;
                };
        return wide && works(type);
    }

    /// A prepacked copy of a weight `[out, in]`, for use in [#expression] and [#sum] only.
    public static Tensor pack(Tensor weight, PtNDManager manager) {
        try (var input = TorchValue.of(weight);
                var packed = Packer.SCRIPT.call("pack", input)) {
            return packed.toTensor(manager);
        }
    }

    /// TorchScript of `x * weight + bias`.
    ///
    /// @param bias an expression or `None`
    public static String expression(String x, String weight, String bias) {
        return "ops.mkldnn._linear_pointwise(%s, %s, %s, \"none\", annotate(List[Optional[number]], []), None)"
                .formatted(x, weight, bias);
    }

    /// TorchScript of `added + x * weight + bias` in one operation.
    ///
    /// @param bias an expression or `None`
    public static String sum(String added, String x, String weight, String bias) {
        return "ops.mkldnn._linear_pointwise(%s, %s, %s, %s, \"add\")"
                .formatted(x, added, weight, bias);
    }

    private static boolean tryOut(ElementType type) {
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

    private static final class Packer {
        private static final TorchScript SCRIPT = TorchScript.compile(SOURCE);
    }
}
