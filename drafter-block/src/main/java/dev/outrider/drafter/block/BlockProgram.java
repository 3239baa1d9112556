package dev.outrider.drafter.block;

import dev.outrider.drafter.block.BlockLayout.HeadForm;
import dev.outrider.drafter.block.BlockLayout.Slots;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.torch.LayerScript;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingScripts;

/// The TorchScript by which block drafters are trained.
///
/// Shapes as in `PractisedBlocks`; d hidden size, D head size, r rank. Inputs: `PractisedBlocks.inputs`, then the target's states after
/// the final norm and the captured ones, `[B, W, d]` each. Constants: the target's embedding and head `[V, d]`, cosines and signed
/// sines `[positions, D]`. Parameters: fc, hidden norm; for each layer input norm, q, k-v, q norm, k norm, output, norm, gate-up, down;
/// last norm; then w1, w2 and what the Markov head mixes with; weight and bias of the confidence head.
///
/// @see "Chen, Liang, Liu 2026 (DFlash), section 3.3; Cheng et al. 2026 (DSpark), section 3"
final class BlockProgram {
    private static final int FIRST_LAYER = 2;
    private static final int PER_LAYER = 9;
    private static final int TRUTH = 6;

    /// Bins of confidence whose calibration is measured.
    static final int BINS = 10;

    private final DecoderConfig layers;
    private final TrainingConfig.Precision precision;
    private final BlockPlan plan;
    private final HeadForm heads;
    private final double confidenceWeight;
    private final Slots slots;

    BlockProgram(
            DecoderConfig layers,
            TrainingConfig.Precision precision,
            BlockPlan plan,
            HeadForm heads,
            double confidenceWeight,
            Slots slots) {
        this.layers = layers;
        this.precision = precision;
        this.plan = plan;
        this.heads = heads;
        this.confidenceWeight = confidenceWeight;
        this.slots = slots;
    }

    String text() {
        return TrainingScripts.linear(precision)
                + LayerScript.methods(layers)
                + attention()
                + states()
                + bias()
                + judged()
                + measures();
    }

    private String attention() {
        return filled(
                """
                  def turned(self: __torch__.M, x: Tensor, heads: int, norm: Tensor, c: Tensor, s: Tensor) -> Tensor:
                    y = torch.rms_norm(torch.view(x, [torch.size(x, 0), torch.size(x, 1), heads, WIDTH]), [WIDTH], norm, EPS)
                    return torch.transpose(torch.addcmul(torch.mul(y, c), torch.roll(y, [HALF], [3]), s), 1, 2)
                  def parted(self: __torch__.M, x: Tensor) -> Tensor:
                    return torch.transpose(torch.view(x, [torch.size(x, 0), torch.size(x, 1), SHARED, WIDTH]), 1, 2)
                  def layer(self: __torch__.M, e: Tensor, g: Tensor, w: List[Tensor], c: Tensor, s: Tensor, cg: Tensor, sg: Tensor, mask: Tensor) -> Tensor:
                    h = torch.rms_norm(e, [HIDDEN], w[0], EPS)
                    q = self.turned(self.linear(h, w[1]), HEADS, w[3], c, s)
                    kh, vh = torch.chunk(self.linear(h, w[2]), 2, -1)
                    kg, vg = torch.chunk(self.linear(g, w[2]), 2, -1)
                    k = torch.cat([self.turned(kg, SHARED, w[4], cg, sg), self.turned(kh, SHARED, w[4], c, s)], 2)
                    v = torch.cat([self.parted(vg), self.parted(vh)], 2)
                    o = torch.scaled_dot_product_attention(q, self.repeated(k), self.repeated(v), mask)
                    return self.layer_output(e, o, w[5], w[6], w[7], w[8])
                """);
    }

    /// `states(p, x, c)`: what the head reads, `[B A, S, d]`.
    private String states() {
        var text = new StringBuilder();
        text.append(
                """
                  def states(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                    W = torch.size(x[TRUTH], 1)
                    g = torch.rms_norm(self.linear(torch.cat([CAPTURED], -1), p[0]), [HIDDEN], p[1], EPS)
                    e = torch.embedding(c[0], x[0])
                    cb = torch.unsqueeze(torch.embedding(c[2], x[1]), 2)
                    sb = torch.unsqueeze(torch.embedding(c[3], x[1]), 2)
                    cg = torch.unsqueeze(torch.unsqueeze(torch.slice(c[2], 0, 0, W), 0), 2)
                    sg = torch.unsqueeze(torch.unsqueeze(torch.slice(c[3], 0, 0, W), 0), 2)
                """);
        for (int layer = 0; layer < plan.layers(); layer++) {
            text.append("    e = self.layer(e, g, [");
            for (int index = 0; index < PER_LAYER; index++) {
                int parameter = FIRST_LAYER + layer * PER_LAYER + index;
                text.append(index == 0 ? "" : ", ").append("p[").append(parameter).append(']');
            }
            text.append("], cb, sb, cg, sg, x[2])\n");
        }
        text.append("    h = torch.rms_norm(e, [HIDDEN], p[%d], EPS)\n".formatted(lastNorm()));
        text.append("    return torch.reshape(h, [-1, SLOTS, HIDDEN])\n");
        return filled(text.toString());
    }

    /// `bias(h, p, x)`: what the Markov head adds, `[B A, S, V]`, and `embedded(p, x)`, what it reads.
    private String bias() {
        if (heads.markov().isEmpty()) {
            return "";
        }
        int w1 = lastNorm() + 1;
        var embedded =
                """
                  def embedded(self: __torch__.M, p: List[Tensor], x: List[Tensor]) -> Tensor:
                    return torch.embedding(p[%d], x[3])
                """
                        .formatted(w1);
        var begin =
                "  def bias(self: __torch__.M, h: Tensor, p: List[Tensor], x: List[Tensor]) -> Tensor:\n"
                        + "    e = self.embedded(p, x)\n";
        var mixed =
                switch (heads.markov().get().type()) {
                    case VANILLA -> "    m = e\n";
                    case GATED ->
                            """
                                gate = torch.sigmoid(torch.add(self.linear(torch.cat([h, e], -1), p[%d]), p[%d]))
                                m = torch.mul(gate, e)
                            """
                                    .formatted(w1 + 2, w1 + 3);
                    case RNN ->
                            """
                                s = torch.mul(torch.select(e, 1, 0), 0.)
                                out = annotate(List[Tensor], [])
                                for k in range(SLOTS):
                                  z = torch.cat([s, torch.select(e, 1, k), torch.select(h, 1, k)], -1)
                                  g, n, o = torch.chunk(torch.add(self.linear(z, p[%d]), p[%d]), 3, -1)
                                  gate = torch.sigmoid(g)
                                  s = torch.add(torch.mul(gate, s), torch.mul(torch.rsub(gate, 1.), torch.tanh(n)))
                                  _0 = torch.append(out, torch.tanh(o))
                                m = torch.stack(out, 1)
                            """
                                    .formatted(w1 + 2, w1 + 3);
                };
        return filled(
                embedded + begin + mixed + "    return self.linear(m, p[%d])\n".formatted(w1 + 1));
    }

    /// `guesses(h, p, x, c)` and `truth(x, c)`: logits of guesses and of the target at their places, `[B A G, V]`; `weighted(z, x)`: the
    /// mean of `z`, `[B A G]`, by what guesses count.
    private String judged() {
        var biased =
                heads.markov().isPresent()
                        ? "torch.add(self.linear(h, c[1]), self.bias(h, p, x))"
                        : "self.linear(h, c[1])";
        var confidence =
                heads.confidence()
                        ? "torch.add(value, torch.mul(self.doubt(h, y, z, p, x), %s))"
                                .formatted(confidenceWeight)
                        : "value";
        return filled(
                """
                  def guesses(self: __torch__.M, h: Tensor, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                    z = BIASED
                    return torch.reshape(torch.slice(z, 1, FROM, SLOTS), [-1, torch.size(z, 2)])
                  def truth(self: __torch__.M, x: List[Tensor], c: List[Tensor]) -> Tensor:
                    f = torch.index_select(torch.reshape(x[TRUTH], [-1, HIDDEN]), 0, x[4])
                    return self.linear(f, c[1])
                  def weighted(self: __torch__.M, z: Tensor, x: List[Tensor]) -> Tensor:
                    return torch.div(torch.sum(torch.mul(z, x[5])), torch.add(torch.sum(x[5]), 1e-9))
                  def acceptance(self: __torch__.M, y: Tensor, z: Tensor) -> Tensor:
                    return torch.sum(torch.minimum(torch.softmax(y, -1), torch.softmax(z, -1)), [-1])
                """
                                .replace("BIASED", biased)
                        + doubt()
                        + """
                          def judge(self: __torch__.M, h: Tensor, y: Tensor, z: Tensor, p: List[Tensor], x: List[Tensor]) -> Tensor:
                            apart = torch.neg(torch.sum(torch.mul(torch.softmax(y, -1), torch.log_softmax(z, -1)), [-1]))
                            missed = torch.rsub(self.acceptance(y, z), 1.)
                            value = self.weighted(torch.add(torch.mul(apart, ENTROPY), torch.mul(missed, VARIATION)), x)
                            return CONFIDENCE
                          def loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                            h = self.states(p, x, c)
                            return self.judge(h, self.truth(x, c), self.guesses(h, p, x, c), p, x)
                        """
                                .replace("CONFIDENCE", confidence));
    }

    /// `confidence(h, p, x)`: logits of the confidence head, `[B A G]`; `doubt`: their cross-entropy with the probability of acceptance.
    private String doubt() {
        if (!heads.confidence()) {
            return "";
        }
        int weight = lastNorm() + 1 + markovParameters();
        var read = heads.confidenceReads() ? "torch.cat([h, self.embedded(p, x)], -1)" : "h";
        return """
          def confidence(self: __torch__.M, h: Tensor, p: List[Tensor], x: List[Tensor]) -> Tensor:
            u = torch.add(torch.linear(READ, p[WEIGHT]), p[BIAS])
            return torch.reshape(torch.slice(u, 1, FROM, SLOTS), [-1])
          def doubt(self: __torch__.M, h: Tensor, y: Tensor, z: Tensor, p: List[Tensor], x: List[Tensor]) -> Tensor:
            u = self.confidence(h, p, x)
            t = torch.detach(self.acceptance(y, z))
            return self.weighted(torch.sub(torch.softplus(u), torch.mul(t, u)), x)
        """
                .replace("READ", read)
                .replace("WEIGHT", "" + weight)
                .replace("BIAS", "" + (weight + 1));
    }

    /// Per guess the share where both have the same best token, then the mean probability of acceptance; per bin of confidence its
    /// share, mean confidence and mean probability of acceptance, both times the share.
    private String measures() {
        var bins =
                heads.confidence()
                        ? """
                            u = torch.sigmoid(self.confidence(h, p, x))
                            bin = torch.floor(torch.mul(torch.clamp(u, 0., 0.999999), BINS.))
                            for b in range(BINS):
                              inside = torch.to(torch.eq(bin, b), 6)
                              _2 = torch.append(out, torch.mean(inside))
                              _3 = torch.append(out, torch.mean(torch.mul(inside, u)))
                              _4 = torch.append(out, torch.mean(torch.mul(inside, taken)))
                        """
                                .replace("BINS", "" + BINS)
                        : "";
        return filled(
                """
                  def measures(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
                    h = self.states(p, x, c)
                    y = self.truth(x, c)
                    z = self.guesses(h, p, x, c)
                    out = [self.judge(h, y, z, p, x)]
                    same = torch.to(torch.eq(torch.argmax(y, -1, False), torch.argmax(z, -1, False)), 6)
                    same = torch.mean(torch.view(same, [-1, GUESSES]), [0])
                    taken = self.acceptance(y, z)
                    each = torch.mean(torch.view(taken, [-1, GUESSES]), [0])
                    for k in range(GUESSES):
                      _0 = torch.append(out, same[k])
                    for k in range(GUESSES):
                      _1 = torch.append(out, each[k])
                """
                        + bins
                        + "    return out\n");
    }

    private int lastNorm() {
        return FIRST_LAYER + plan.layers() * PER_LAYER;
    }

    private int markovParameters() {
        return heads.markov()
                .map(markov -> markov.type() == HeadForm.Type.VANILLA ? 2 : 4)
                .orElse(0);
    }

    private String filled(String text) {
        var captured = new StringBuilder();
        for (int state = 0; state < plan.capturedLayers().size(); state++) {
            captured.append(state == 0 ? "" : ", ").append("x[%d]".formatted(TRUTH + 1 + state));
        }
        return text.replace("CAPTURED", captured)
                .replace("TRUTH", "" + TRUTH)
                .replace("SLOTS", "" + slots.size())
                .replace("GUESSES", "" + slots.guesses())
                .replace("FROM", "" + slots.first())
                .replace("ENTROPY", "" + plan.crossEntropyWeight())
                .replace("VARIATION", "" + plan.totalVariationWeight())
                .replace("HIDDEN", "" + layers.hiddenSize())
                .replace("EPS", "" + layers.normEpsilon())
                .replace("HALF", "" + layers.headSize() / 2)
                .replace("WIDTH", "" + layers.headSize())
                .replace("SHARED", "" + layers.keyValueHeads())
                .replace("GROUP", "" + layers.heads() / layers.keyValueHeads())
                .replace("HEADS", "" + layers.heads());
    }
}
