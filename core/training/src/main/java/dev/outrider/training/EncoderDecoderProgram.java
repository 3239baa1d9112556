package dev.outrider.training;

import java.util.Optional;

/// The TorchScript of an encoder-decoder that is trained: forward pass and losses.
///
/// Parameters are one list: the embedding; the biases of distances of encoder and decoder; per layer of the encoder the
/// attention's norm, fused q-k-v, output, feed-forward norm, fused gate-up and down matrices; the encoder's last norm; per layer of the
/// decoder the same, and before the feed-forward norm the norm, q, fused k-v and output of the attention to the source; the decoder's
/// last norm; and the output matrix unless it is tied.
///
/// Inputs are those of [EncoderDecoderInputs]. Shapes: B rows, S tokens of a source, T of an answer, V token ids, H heads, D head dimension, n tokens of
/// all answers.
///
/// @see "Raffel et al. 2020 (T5), section 2.1; Shazeer 2020 (gated GELU)"
final class EncoderDecoderProgram {
    private static final int SHARED = 3;
    private static final int CROSS = 4;

    private final EncoderDecoderShape shape;

    private EncoderDecoderProgram(EncoderDecoderShape shape) {
        this.shape = shape;
    }

    /// All methods of a learner. The further measure is the share of places whose most probable token is the answer's.
    ///
    /// @param teaching as of [TrainingScripts#mainLoss]
    static String source(
            EncoderDecoderShape shape,
            TrainingConfig.Precision precision,
            Optional<TrainingConfig.Distillation> teaching) {
        return forward(shape, precision)
                + TrainingScripts.mainLoss(teaching)
                + """
                  def loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                    return self.main_loss(self.logits(p, x, c), x[4], x)
                  def measures(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
                    z = self.logits(p, x, c)
                    right = torch.to(torch.eq(torch.argmax(z, -1), x[4]), 6)
                    return [torch.cross_entropy_loss(z, x[4]), torch.mean(right)]
                """;
    }

    /// The method `logits(p, x, c)`: of every token of the answers, `[n, V]`.
    static String forward(EncoderDecoderShape shape, TrainingConfig.Precision precision) {
        return TrainingScripts.linear(precision)
                + LayerScript.residuals(shape.decoder())
                + new EncoderDecoderProgram(shape).methods();
    }

    private String methods() {
        var lines = new StringBuilder(ATTENTION);
        lines.append(
                """
                  def encode(self: __torch__.M, tokens: Tensor, mask: Tensor, p: List[Tensor], buckets: Tensor) -> Tensor:
                    T = torch.size(tokens, 1)
                    bias = torch.add(self.distances(p[1], buckets, T), mask)
                    x = torch.embedding(p[0], tokens)
                """);
        for (int layer = 0; layer < shape.encoderLayers(); layer++) {
            int first = SHARED + layer * LayerScript.PARAMETERS;
            lines.append(selfAttention(first)).append(feedForward(first + 3));
        }
        lines.append(
                """
                    return torch.rms_norm(x, [HIDDEN], p[%d], EPS)
                  def decode(self: __torch__.M, tokens: Tensor, states: Tensor, mask: Tensor, p: List[Tensor], buckets: Tensor, causal: Tensor) -> Tensor:
                    T = torch.size(tokens, 1)
                    ahead = torch.slice(torch.slice(causal, 0, 0, T), 1, 0, T)
                    bias = torch.add(self.distances(p[2], buckets, T), ahead)
                    x = torch.embedding(p[0], tokens)
                """
                        .formatted(encoderNorm()));
        for (int layer = 0; layer < shape.decoderLayers(); layer++) {
            int first = encoderNorm() + 1 + layer * (LayerScript.PARAMETERS + CROSS);
            lines.append(selfAttention(first))
                    .append(crossAttention(first + 3))
                    .append(feedForward(first + 3 + CROSS));
        }
        lines.append(
                """
                    return torch.rms_norm(x, [HIDDEN], p[%d], EPS)
                  def logits(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                    states = self.encode(x[0], x[1], p, c[0])
                    y = self.decode(x[2], states, x[1], p, c[1], c[2])
                    y = torch.index_select(torch.view(y, [-1, HIDDEN]), 0, x[3])
                    return self.linear(torch.mul(y, SCALE), p[%d])
                """
                        .formatted(decoderNorm(), shape.tiedEmbeddings() ? 0 : decoderNorm() + 1));
        return lines.toString()
                .replace("HIDDEN", "" + shape.hiddenSize())
                .replace("EPS", "" + shape.normEpsilon())
                .replace("SCALE", "" + shape.decoder().form().scales().head())
                .replaceAll("\\bH\\b", "" + shape.heads())
                .replaceAll("\\bD\\b", "" + shape.headDimension());
    }

    private int encoderNorm() {
        return SHARED + shape.encoderLayers() * LayerScript.PARAMETERS;
    }

    private int decoderNorm() {
        return encoderNorm() + 1 + shape.decoderLayers() * (LayerScript.PARAMETERS + CROSS);
    }

    private static String selfAttention(int first) {
        return "    x = self.self_attention(x, p[%d], p[%d], p[%d], bias)\n"
                .formatted(first, first + 1, first + 2);
    }

    private static String crossAttention(int first) {
        return "    x = self.cross_attention(x, states, p[%d], p[%d], p[%d], p[%d], mask)\n"
                .formatted(first, first + 1, first + 2, first + 3);
    }

    private static String feedForward(int first) {
        return "    x = self.fed(x, p[%d], p[%d], p[%d])\n".formatted(first, first + 1, first + 2);
    }

    /// `distances`: what heads add to scores of T rows, `[1, H, T, T]`. `attend`: scores are not divided by anything. `mask` and `bias` are
    /// added to scores.
    private static final String ATTENTION =
            """
              def distances(self: __torch__.M, w: Tensor, buckets: Tensor, T: int) -> Tensor:
                near = torch.slice(torch.slice(buckets, 0, 0, T), 1, 0, T)
                return torch.unsqueeze(torch.permute(torch.embedding(w, near), [2, 0, 1]), 0)
              def heads(self: __torch__.M, x: Tensor) -> Tensor:
                B = torch.size(x, 0)
                T = torch.size(x, 1)
                return torch.transpose(torch.reshape(x, [B, T, H, D]), 1, 2)
              def attend(self: __torch__.M, q: Tensor, k: Tensor, v: Tensor, bias: Tensor) -> Tensor:
                scores = torch.matmul(self.heads(q), torch.transpose(self.heads(k), 2, 3))
                return torch.matmul(torch.softmax(torch.add(scores, bias), -1), self.heads(v))
              def self_attention(self: __torch__.M, x: Tensor, norm: Tensor, w: Tensor, output: Tensor, bias: Tensor) -> Tensor:
                q, k, v = torch.chunk(self.linear(torch.rms_norm(x, [HIDDEN], norm, EPS), w), 3, -1)
                return self.attended(x, self.attend(q, k, v, bias), output)
              def cross_attention(self: __torch__.M, x: Tensor, states: Tensor, norm: Tensor, query: Tensor, w: Tensor, output: Tensor, mask: Tensor) -> Tensor:
                q = self.linear(torch.rms_norm(x, [HIDDEN], norm, EPS), query)
                k, v = torch.chunk(self.linear(states, w), 2, -1)
                return self.attended(x, self.attend(q, k, v, mask), output)
            """;
}
