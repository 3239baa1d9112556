package dev.outrider.training;

import dev.outrider.nn.network.DecoderConfig;

/// TorchScript of one decoder layer that is trained, in two halves around its attention, so that every program can
/// read and attend in its own way. Needs the method `linear` of [TrainingScripts#linear].
///
/// An ordinary layer has six parameters: attention norm, fused q-k-v, output, feed-forward norm, fused gate-up, down.
/// Shapes: B rows, T tokens, H heads, K key-value heads, D head size.
///
/// @see "Touvron et al. 2023 (LLaMA); Su et al. 2021 (RoPE); Ainslie et al. 2023 (GQA); Shazeer 2020 (SwiGLU)"
public final class LayerScript {
    /// Parameters of one ordinary layer.
    public static final int PARAMETERS = 6;

    private LayerScript() {}

    /// The methods, for layers of one shape:
    ///
    /// - `project(h, w, c, s)`: queries, keys and values of what attention reads, normed or not, `[B, H, T, D]` each,
    ///   keys and values repeated for the heads that share them; `c` and `s` are the rotary angles of the T positions
    /// - `attention_input(x, norm, w, c, s)`: the same of the normed residual stream
    /// - `causal(q, k, v)`: each token attends to itself and those before, `[B, H, T, D]`
    /// - `among(q, k, v, mask)`: each token attends to those that the mask, `[B, 1, T, T]`, has 0 for and not negative infinity
    /// - `layer_output(x, o, w, norm, gate_up, down)`: the residual stream after the layer, from attention's result `o`
    public static String methods(DecoderConfig config) {
        return residuals(config) + projections(config);
    }

    private static String projections(DecoderConfig config) {
        int heads = config.heads();
        int shared = config.keyValueHeads();
        int size = config.headSize();
        return """
          def project(self: __torch__.M, h: Tensor, w: Tensor, c: Tensor, s: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
            B = torch.size(h, 0)
            T = torch.size(h, 1)
            qkv = torch.view(self.linear(h, w), [B, T, ALL, D])
            qk, v = torch.split_with_sizes(qkv, [ROTATED, K], 2)
            qk = torch.addcmul(torch.mul(qk, c), torch.roll(qk, [HALF], [3]), s)
            q, k = torch.split_with_sizes(qk, [H, K], 2)
            q = torch.transpose(q, 1, 2)
            k = torch.transpose(k, 1, 2)
            v = torch.transpose(v, 1, 2)
            k = torch.reshape(torch.expand(torch.unsqueeze(k, 2), [B, K, G, T, D]), [B, H, T, D])
            v = torch.reshape(torch.expand(torch.unsqueeze(v, 2), [B, K, G, T, D]), [B, H, T, D])
            return (q, k, v)
          def attention_input(self: __torch__.M, x: Tensor, norm: Tensor, w: Tensor, c: Tensor, s: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
            q, k, v = self.project(torch.rms_norm(x, [HIDDEN], norm, EPS), w, c, s)
            return (q, k, v)
          def causal(self: __torch__.M, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
            return torch.scaled_dot_product_attention(q, k, v, None, 0., True)
          def among(self: __torch__.M, q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
            return torch.scaled_dot_product_attention(q, k, v, mask, 0., False)
          def layer_output(self: __torch__.M, x: Tensor, o: Tensor, w: Tensor, norm: Tensor, gate_up: Tensor, down: Tensor) -> Tensor:
            return self.fed(self.attended(x, o, w), norm, gate_up, down)
        """
                .replace("HIDDEN", "" + config.hiddenSize())
                .replace("EPS", "" + config.normEpsilon())
                .replace("ROTATED", "" + (heads + shared))
                .replace("ALL", "" + (heads + 2 * shared))
                .replace("HALF", "" + size / 2)
                .replaceAll("\\bH\\b", "" + heads)
                .replaceAll("\\bK\\b", "" + shared)
                .replaceAll("\\bG\\b", "" + heads / shared)
                .replaceAll("\\bD\\b", "" + size);
    }

    /// What every layer adds to the residual stream `x`, `[B, T, h]`:
    ///
    /// - `attended(x, o, w)`: after an attention with the result `o`, `[B, H, T, D]`
    /// - `fed(x, norm, gate_up, down)`: after a gated feed-forward layer
    static String residuals(DecoderConfig config) {
        return """
          def attended(self: __torch__.M, x: Tensor, o: Tensor, w: Tensor) -> Tensor:
            B = torch.size(x, 0)
            T = torch.size(x, 1)
            o = torch.reshape(torch.transpose(o, 1, 2), [B, T, WIDTH])
            return torch.add(x, self.linear(o, w))
          def fed(self: __torch__.M, x: Tensor, norm: Tensor, gate_up: Tensor, down: Tensor) -> Tensor:
            h = torch.rms_norm(x, [HIDDEN], norm, EPS)
            g, u = torch.chunk(self.linear(h, gate_up), 2, -1)
            return torch.add(x, self.linear(torch.mul(ACTIVATION, u), down))
        """
                .replace("HIDDEN", "" + config.hiddenSize())
                .replace("EPS", "" + config.normEpsilon())
                .replace("WIDTH", "" + config.heads() * config.headSize())
                .replace("ACTIVATION", activation(config));
    }

    private static String activation(DecoderConfig config) {
        return switch (config.form().feedForward().activation()) {
            case SILU -> "torch.silu(g)";
            case GELU -> "torch.gelu(g)";
            case GELU_TANH -> "torch.gelu(g, approximate=\"tanh\")";
            case RELU -> "torch.relu(g)";
        };
    }

    /// Statements that take `x` through an ordinary causal layer; `c` and `s` are the angles.
    ///
    /// @param first index of the layer's first parameter in `p`
    public static String causalLayer(int first) {
        return layer(first, "self.causal(q, k, v)");
    }

    /// The same for a layer whose tokens see what `mask` says.
    ///
    /// @param first index of the layer's first parameter in `p`
    public static String maskedLayer(int first) {
        return layer(first, "self.among(q, k, v, mask)");
    }

    private static String layer(int first, String attention) {
        return """
            q, k, v = self.attention_input(x, p[%d], p[%d], c, s)
            x = self.layer_output(x, %s, p[%d], p[%d], p[%d], p[%d])
        """
                .formatted(first, first + 1, attention, first + 2, first + 3, first + 4, first + 5);
    }
}
