package dev.outrider.nn.train;

/// The TorchScript of a decoder that is trained: forward pass, losses, gradients and the AdamW step.
///
/// Parameters are one list: the embedding; per layer the attention norm, fused q-k-v, output, feed-forward norm, fused
/// gate-up and down matrices; the last norm; and the output matrix unless it is tied. Shapes: B rows, T tokens, V token
/// ids, H heads, K key-value heads, D head dimension.
///
/// @see "Touvron et al. 2023 (LLaMA); Su et al. 2021 (RoPE); Ainslie et al. 2023 (GQA); Shazeer 2020 (SwiGLU)"
final class DecoderProgram {
    /// Parameters of one layer.
    static final int PER_LAYER = 6;

    private DecoderProgram() {}

    static String source(DecoderShape shape, TrainingConfig.Precision precision) {
        return linear(precision) + "\n" + forward(shape) + LOSSES;
    }

    private static String linear(TrainingConfig.Precision precision) {
        var product =
                switch (precision) {
                    case FLOAT32 -> "torch.linear(x, w)";
                    case BFLOAT16_LINEAR ->
                            "torch.to(torch.linear(torch.to(x, 15), torch.to(w, 15)), 6)";
                };
        return "  def linear(self: __torch__.M, x: Tensor, w: Tensor) -> Tensor:\n    return "
                + product
                + "\n";
    }

    private static String forward(DecoderShape shape) {
        var lines = new StringBuilder();
        lines.append(
                """
                  def logits(self: __torch__.M, tokens: Tensor, p: List[Tensor], cos: Tensor, sin: Tensor) -> Tensor:
                    B = torch.size(tokens, 0)
                    T = torch.size(tokens, 1)
                    c = torch.slice(cos, 0, 0, T)
                    s = torch.slice(sin, 0, 0, T)
                    x = torch.embedding(p[0], tokens)
                """);
        for (int layer = 0; layer < shape.layers(); layer++) {
            lines.append(layer(shape, 1 + layer * PER_LAYER));
        }
        int norm = 1 + shape.layers() * PER_LAYER;
        lines.append(
                """
                    x = torch.rms_norm(x, [%d], p[%d], %s)
                    return torch.view(self.linear(x, p[%d]), [-1, %d])
                """
                        .formatted(
                                shape.hiddenSize(),
                                norm,
                                shape.normEpsilon(),
                                shape.tiedEmbeddings() ? 0 : norm + 1,
                                shape.vocabularySize()));
        return lines.toString();
    }

    private static String layer(DecoderShape shape, int first) {
        int heads = shape.heads();
        int shared = shape.keyValueHeads();
        int size = shape.headDimension();
        return """
            h = torch.rms_norm(x, [HIDDEN], p[P0], EPS)
            qkv = torch.view(self.linear(h, p[P1]), [B, T, ALL, D])
            qk, v = torch.split_with_sizes(qkv, [ROTATED, K], 2)
            qk = torch.addcmul(torch.mul(qk, c), torch.roll(qk, [HALF], [3]), s)
            q, k = torch.split_with_sizes(qk, [H, K], 2)
            q = torch.transpose(q, 1, 2)
            k = torch.transpose(k, 1, 2)
            v = torch.transpose(v, 1, 2)
            k = torch.reshape(torch.expand(torch.unsqueeze(k, 2), [B, K, G, T, D]), [B, H, T, D])
            v = torch.reshape(torch.expand(torch.unsqueeze(v, 2), [B, K, G, T, D]), [B, H, T, D])
            o = torch.scaled_dot_product_attention(q, k, v, None, 0., True)
            o = torch.reshape(torch.transpose(o, 1, 2), [B, T, WIDTH])
            x = torch.add(x, self.linear(o, p[P2]))
            h = torch.rms_norm(x, [HIDDEN], p[P3], EPS)
            g, u = torch.chunk(self.linear(h, p[P4]), 2, -1)
            x = torch.add(x, self.linear(torch.mul(torch.silu(g), u), p[P5]))
        """
                .replace("P0", "" + first)
                .replace("P1", "" + (first + 1))
                .replace("P2", "" + (first + 2))
                .replace("P3", "" + (first + 3))
                .replace("P4", "" + (first + 4))
                .replace("P5", "" + (first + 5))
                .replace("HIDDEN", "" + shape.hiddenSize())
                .replace("EPS", "" + shape.normEpsilon())
                .replace("ROTATED", "" + (heads + shared))
                .replace("ALL", "" + (heads + 2 * shared))
                .replace("HALF", "" + size / 2)
                .replace("WIDTH", "" + heads * size)
                .replaceAll("\\bH\\b", "" + heads)
                .replaceAll("\\bK\\b", "" + shared)
                .replaceAll("\\bG\\b", "" + heads / shared)
                .replaceAll("\\bD\\b", "" + size);
    }

    /// `soft` holds the teacher's logits, shape `[B*T, V]`, or nothing.
    private static final String LOSSES =
            """
              def loss(self: __torch__.M, tokens: Tensor, targets: Tensor, p: List[Tensor], cos: Tensor, sin: Tensor, soft: List[Tensor], weight: float) -> Tensor:
                z = self.logits(tokens, p, cos, sin)
                hard = torch.cross_entropy_loss(z, torch.view(targets, [-1]))
                if torch.gt(torch.len(soft), 0):
                  agreement = torch.mul(torch.softmax(soft[0], -1), torch.log_softmax(z, -1))
                  distilled = torch.neg(torch.mean(torch.sum(agreement, [-1])))
                  result = torch.add(torch.mul(hard, torch.sub(1., weight)), torch.mul(distilled, weight))
                else:
                  result = hard
                return result
              def gradients(self: __torch__.M, tokens: Tensor, targets: Tensor, p: List[Tensor], cos: Tensor, sin: Tensor, soft: List[Tensor], weight: float) -> List[Tensor]:
                value = self.loss(tokens, targets, p, cos, sin, soft, weight)
                found = torch.grad([value], p)
                out = [torch.detach(value)]
                for i in range(torch.len(found)):
                  g = found[i]
                  _0 = torch.append(out, unchecked_cast(Tensor, g))
                return out
              def clip(self: __torch__.M, g: List[Tensor], longest: float) -> Tensor:
                norm = torch.linalg_vector_norm(torch.stack(torch._foreach_norm(g, 2), 0), 2)
                torch._foreach_mul_(g, torch.clamp(torch.div(longest, torch.add(norm, 1e-06)), None, 1.))
                return norm
              def adamw(self: __torch__.M, p: List[Tensor], g: List[Tensor], m: List[Tensor], v: List[Tensor], steps: List[Tensor], rate: float, beta1: float, beta2: float, decay: float) -> Tensor:
                none = annotate(List[Tensor], [])
                torch._fused_adamw_(p, g, m, v, none, steps, lr=rate, beta1=beta1, beta2=beta2, weight_decay=decay, eps=1e-08, amsgrad=False, maximize=False)
                return steps[0]
            """;
}
