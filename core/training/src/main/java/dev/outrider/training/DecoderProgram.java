package dev.outrider.training;

import java.util.Optional;

/// The TorchScript of a decoder that is trained: forward pass and losses. Constants are cosines and signed sines.
///
/// Parameters are one list: the embedding; per layer the attention norm, fused q-k-v, output, feed-forward norm, fused
/// gate-up and down matrices; the last norm; and the output matrix unless it is tied. Shapes: B rows, T tokens, V token
/// ids, H heads, K key-value heads, D head dimension.
///
/// @see "Touvron et al. 2023 (LLaMA); Su et al. 2021 (RoPE); Ainslie et al. 2023 (GQA); Shazeer 2020 (SwiGLU)"
final class DecoderProgram {
    private DecoderProgram() {}

    /// @param teaching what is learned of a teacher. Its logits, shape `[B*T, V]`, are then the last input, after the tokens and
    ///                 their labels, `[B, T]` each, and which tokens are learned, `[B, T+1]`.
    static String source(
            DecoderShape shape,
            TrainingConfig.Precision precision,
            Optional<TrainingConfig.Distillation> teaching) {
        return methods(shape, precision)
                + (teaching.isPresent() ? TAUGHT_MEASURES : MEASURES)
                + TrainingScripts.learned()
                + LEARNED
                + TrainingScripts.mainLoss(teaching)
                + shape.mixture()
                        .map(mixture -> balancedLoss(mixture, teaching))
                        .orElseGet(() -> loss(teaching));
    }

    /// `label_mask`: which labels are learned. `learned_head`: logits after the learned ones of a stream. `learned_labels`: those
    /// labels. `taught`: a teacher's logits there.
    private static final String LEARNED =
            """
              def label_mask(self: __torch__.M, x: List[Tensor]) -> Tensor:
                return torch.slice(x[2], 1, 1, torch.size(x[2], 1))
              def learned_head(self: __torch__.M, s: Tensor, p: List[Tensor], x: List[Tensor]) -> Tensor:
                return self.head(self.learned(torch.reshape(s, [-1, torch.size(s, 2)]), self.label_mask(x)), p)
              def learned_labels(self: __torch__.M, x: List[Tensor]) -> Tensor:
                return self.learned(torch.reshape(x[1], [-1]), self.label_mask(x))
              def taught(self: __torch__.M, x: List[Tensor]) -> Tensor:
                return self.learned(x[-1], self.label_mask(x))
            """;

    private static String loss(Optional<TrainingConfig.Distillation> teaching) {
        return """
          def loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
            z = self.learned_head(self.stream(x[0], p, c[0], c[1]), p, x)
            return MAIN
        """
                .replace("MAIN", mainLoss(teaching));
    }

    private static String mainLoss(Optional<TrainingConfig.Distillation> teaching) {
        return "self.main_loss(z, self.learned_labels(x), %s)"
                .formatted(teaching.isEmpty() ? "x" : "[self.taught(x)]");
    }

    /// The loss of the text, and what keeps experts equally busy, the mean over layers.
    private static String balancedLoss(
            MixtureShape mixture, Optional<TrainingConfig.Distillation> teaching) {
        return """
          def loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
            balance = annotate(List[Tensor], [])
            z = self.learned_head(self.routed(x[0], p, c[0], c[1], balance), p, x)
            return torch.add(MAIN, torch.mul(torch.mean(torch.stack(balance)), BALANCE))
        """
                .replace("MAIN", mainLoss(teaching))
                .replace("BALANCE", "" + mixture.balance());
    }

    /// The same for a decoder with a companion, whose parameters follow the decoder's; the loss is the decoder's plus
    /// `lossWeight` times the mean of the companion's.
    ///
    /// @see "DeepSeek-AI 2024 (DeepSeek-V3), equations 24 and 25"
    static String source(
            DecoderShape shape,
            TrainingConfig.Precision precision,
            Optional<TrainingConfig.Distillation> teaching,
            Companion companion) {
        return methods(shape, precision)
                + TrainingScripts.learned()
                + LEARNED
                + companion.methods(shape.decoder(), parameters(shape))
                + TrainingScripts.mainLoss(teaching)
                + """
                  def losses(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tuple[Tensor, List[Tensor]]:
                    s = self.stream(x[0], p, c[0], c[1])
                    T = torch.size(x[1], 1)
                    all = torch.cat([x[0], torch.slice(x[1], 1, torch.sub(T, 1), T)], 1)
                    m = self.companion(STATE, all, x[2], p[0], p[HEAD], p, c[0], c[1])
                    return (self.learned_head(s, p, x), m)
                  def loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                    z, m = self.losses(p, x, c)
                    return torch.add(MAIN, torch.mul(torch.mean(torch.stack(m)), WEIGHT))
                  def measures(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
                    z, m = self.losses(p, x, c)
                    out = [torch.cross_entropy_loss(z, self.learned_labels(x))]
                    for i in range(torch.len(m)):
                      _0 = torch.append(out, m[i])
                    return out
                """
                        .replace("MAIN", mainLoss(teaching))
                        .replace("STATE", companion.normed() ? "self.normed(s, p)" : "s")
                        .replace("HEAD", "" + head(shape))
                        .replace("WEIGHT", "" + companion.lossWeight());
    }

    /// What is needed to learn from rounds that the target has judged already, and from nothing else: `visited_loss` of [#visits].
    static String rounds(
            DecoderShape shape, TrainingConfig.Precision precision, Divergence divergence) {
        return methods(shape, precision) + TrainingScripts.divergence(divergence) + visits(shape);
    }

    /// What a decoder without experts needs beside [#source(DecoderShape, TrainingConfig.Precision, Optional)] with a teacher, to learn
    /// from what a drafter visits: `visited_loss`, the teacher's divergence alone, since what a drafter drew is no text to learn. Inputs
    /// are those of [VisitedRows] in the order tokens, positions, mask, learned places, learned nodes, and the teacher's
    /// logits of all nodes, `[n, V]`.
    ///
    /// @see "Agarwal et al. 2024 (GKD), section 3.1; Zhou et al. 2024 (DistillSpec), section 4.2"
    static String visits(DecoderShape shape) {
        return maskedStream(shape)
                + """
                  def visited_loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                    s = self.masked_stream(x[0], x[1], x[2], p, c[0], c[1])
                    rows = torch.index_select(torch.reshape(s, [-1, torch.size(s, 2)]), 0, x[3])
                    log_q = torch.log_softmax(self.head(rows, p), -1)
                    return self.divergence(log_q, torch.index_select(x[5], 0, x[4]))
                """;
    }

    /// `masked_stream(tokens, positions, mask, p, cos, sin)`: the residual stream of a dense decoder over tokens, `[B, T]`, at positions,
    /// `[B*T]`, that see of each other what the mask, `[B, 1, T, T]`, says.
    private static String maskedStream(DecoderShape shape) {
        var lines =
                new StringBuilder(
                        """
                          def masked_stream(self: __torch__.M, tokens: Tensor, positions: Tensor, mask: Tensor, p: List[Tensor], cos: Tensor, sin: Tensor) -> Tensor:
                            B = torch.size(tokens, 0)
                            T = torch.size(tokens, 1)
                            c = torch.reshape(torch.index_select(cos, 0, positions), [B, T, 1, -1])
                            s = torch.reshape(torch.index_select(sin, 0, positions), [B, T, 1, -1])
                            x = torch.embedding(p[0], tokens)
                        """);
        for (int layer = 0; layer < shape.layers(); layer++) {
            lines.append(LayerScript.maskedLayer(first(shape, layer)));
        }
        return lines.append("    return x\n").toString();
    }

    /// What [MaskedDecoder] gives.
    static String masked(DecoderShape shape, TrainingConfig.Precision precision) {
        return methods(shape, precision) + maskedStream(shape);
    }

    /// How many parameters a decoder has.
    static int parameters(DecoderShape shape) {
        return norm(shape) + (shape.tiedEmbeddings() ? 1 : 2);
    }

    private static int norm(DecoderShape shape) {
        return first(shape, shape.layers());
    }

    /// The index of a layer's first parameter.
    private static int first(DecoderShape shape, int layer) {
        boolean dense = shape.mixture().isEmpty();
        return 1 + layer * (dense ? LayerScript.PARAMETERS : MixtureScript.PARAMETERS);
    }

    private static int head(DecoderShape shape) {
        return shape.tiedEmbeddings() ? 0 : norm(shape) + 1;
    }

    /// `stream`: the residual stream after all layers, `[B, T, h]`. `normed`: after the last norm. `head`: logits of a
    /// stream, `[B*T, V]`. `logits`: of tokens.
    private static String methods(DecoderShape shape, TrainingConfig.Precision precision) {
        var lines = new StringBuilder(TrainingScripts.linear(precision));
        lines.append(LayerScript.methods(shape.decoder()));
        shape.mixture().ifPresent(mixture -> lines.append(MixtureScript.methods(shape, mixture)));
        boolean dense = shape.mixture().isEmpty();
        lines.append(
                """
                  def %s(self: __torch__.M, tokens: Tensor, p: List[Tensor], cos: Tensor, sin: Tensor%s) -> Tensor:
                    T = torch.size(tokens, 1)
                    c = torch.slice(cos, 0, 0, T)
                    s = torch.slice(sin, 0, 0, T)
                    x = torch.embedding(p[0], tokens)
                """
                        .formatted(
                                dense ? "stream" : "routed",
                                dense ? "" : ", balance: List[Tensor]"));
        for (int layer = 0; layer < shape.layers(); layer++) {
            int first = first(shape, layer);
            lines.append(dense ? LayerScript.causalLayer(first) : MixtureScript.causalLayer(first));
        }
        lines.append("    return x\n");
        if (!dense) {
            lines.append(
                    """
                      def stream(self: __torch__.M, tokens: Tensor, p: List[Tensor], cos: Tensor, sin: Tensor) -> Tensor:
                        return self.routed(tokens, p, cos, sin, annotate(List[Tensor], []))
                    """);
        }
        return lines.append(
                        """
                          def normed(self: __torch__.M, x: Tensor, p: List[Tensor]) -> Tensor:
                            return torch.rms_norm(x, [%d], p[%d], %s)
                          def head(self: __torch__.M, x: Tensor, p: List[Tensor]) -> Tensor:
                            return torch.view(self.linear(self.normed(x, p), p[%d]), [-1, %d])
                          def logits(self: __torch__.M, tokens: Tensor, p: List[Tensor], cos: Tensor, sin: Tensor) -> Tensor:
                            return self.head(self.stream(tokens, p, cos, sin), p)
                        """
                                .formatted(
                                        shape.hiddenSize(),
                                        norm(shape),
                                        shape.normEpsilon(),
                                        head(shape),
                                        shape.vocabularySize()))
                .toString();
    }

    private static final String MEASURES =
            """
              def measures(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
                z = self.learned_head(self.stream(x[0], p, c[0], c[1]), p, x)
                return [torch.cross_entropy_loss(z, self.learned_labels(x))]
            """;

    /// Also the mean of `sum min(p, q)`: how often a token drawn from the student is accepted at temperature 1 after true tokens.
    private static final String TAUGHT_MEASURES =
            """
              def measures(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
                z = self.learned_head(self.stream(x[0], p, c[0], c[1]), p, x)
                both = torch.minimum(torch.softmax(z, -1), torch.softmax(self.taught(x), -1))
                return [torch.cross_entropy_loss(z, self.learned_labels(x)), torch.mean(torch.sum(both, [-1]))]
            """;
}
