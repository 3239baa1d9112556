package dev.outrider.torch;

import dev.outrider.nn.network.DecoderConfig;
import java.util.Map;

/// The TorchScript of decoder layers, for the target `djl` and for every training. The methods are those of
/// `layer.torchscript`; shapes and constants are explained there.
public final class LayerScript {
    /// Parameters of a usual layer: attention norm, fused q-k-v, output, feed-forward norm, fused gate-up, down.
    public static final int PARAMETERS = 6;

    private LayerScript() {}

    /// The methods for layers of one shape. They use `linear` of [#linear].
    public static String methods(DecoderConfig config) {
        return TorchScript.resource(LayerScript.class, "layer")
                + TorchScript.constants(
                        Map.of(
                                "n_heads", config.heads(),
                                "n_shared", config.keyValueHeads(),
                                "head_size", config.headSize(),
                                "hidden_size", config.hiddenSize(),
                                "epsilon", config.normEpsilon(),
                                "activation", config.form().feedForward().activation().ordinal()));
    }

    /// The method `linear(x, w)`: `x` times the transpose of `w`.
    ///
    /// @param bfloat16 whether it multiplies bfloat16 numbers; arguments and result are 32-bit floats in both cases
    public static String linear(boolean bfloat16) {
        return TorchScript.resource(LayerScript.class, "linear")
                + TorchScript.constants(Map.of("in_bfloat16", bfloat16));
    }
}
