package dev.outrider.nn.train;

/// The TorchScript of a decoder that is trained: forward pass and losses. Constants are cosines and signed sines.
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

    /// @param teacherWeight of the teacher's law in the loss, 0 to 1; with 0 there is no teacher. Its logits, shape
    ///                      `[B*T, V]`, are then the third input after the tokens and their labels, `[B, T]` each.
    static String source(
            DecoderShape shape, TrainingConfig.Precision precision, double teacherWeight) {
        return TrainingScripts.linear(precision)
                + "\n"
                + forward(shape)
                + (teacherWeight > 0 ? distilled(teacherWeight) : HARD);
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

    private static final String MEASURES =
            """
              def measures(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
                z = self.logits(x[0], p, c[0], c[1])
                return [torch.cross_entropy_loss(z, torch.view(x[1], [-1]))]
            """;

    private static final String HARD =
            MEASURES
                    + """
                      def loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                        z = self.logits(x[0], p, c[0], c[1])
                        return torch.cross_entropy_loss(z, torch.view(x[1], [-1]))
                    """;

    private static String distilled(double weight) {
        return MEASURES
                + TrainingScripts.softCrossEntropy()
                + """
                  def loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                    z = self.logits(x[0], p, c[0], c[1])
                    hard = torch.cross_entropy_loss(z, torch.view(x[1], [-1]))
                    soft = self.soft_cross_entropy(z, x[2])
                    return torch.add(torch.mul(hard, %s), torch.mul(soft, %s))
                """
                        .formatted(1 - weight, weight);
    }
}
