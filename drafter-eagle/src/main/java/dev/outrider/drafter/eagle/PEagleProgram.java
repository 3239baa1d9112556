package dev.outrider.drafter.eagle;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.training.TrainingScripts;
import dev.outrider.torch.LayerScript;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingScripts;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The TorchScript by which P-EAGLE heads are trained.
///
/// Shapes as in [dev.outrider.training.TrainingTimeTest]; d hidden size, a captured states, D head size. Inputs: those of the practised
/// depths, then the target's states after the final norm and the captured ones, `[B, W, d]` each. Constants: the target's embedding and
/// head `[V, d]`, cosines and signed sines `[positions, D]`. Parameters: the mask's feature `[1, 1, a d]`, fc, norm of the feature, norm
/// of the embedding, q-k-v, output, norm, gate-up, down; for each further layer those of [LayerScript]; last norm, head.
///
/// @see "Hui et al. 2026 (P-EAGLE), sections 3 and 4"
final class PEagleProgram {
    private static final int FIRST_LAYER = 9;
    private static final int TRUTH = 5;

    private PEagleProgram() {}

    static String text(
            DecoderConfig layers, TrainingConfig.Precision precision, PEaglePlan plan, int width) {
        return TrainingScripts.linear(precision)
                + LayerScript.methods(layers)
                + TrainingScripts.slots(plan.depths(), width, PEagleLearner.AHEAD, plan.divergence())
                + stream(layers, plan)
                + judged(layers, plan);
    }

    /// `stream(p, tokens, positions, mask, states, embedding, cos, sin)`: the residual stream of all slots after the layers, `[B, N, d]`.
    /// The text's slots come first, and have the states of their places; the others have the mask's.
    private static String stream(DecoderConfig layers, PEaglePlan plan) {
        var text =
                new StringBuilder(
                        """
                          def stream(self: __torch__.M, p: List[Tensor], tokens: Tensor, positions: Tensor, mask: Tensor, states: Tensor, embedding: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
                            c = torch.unsqueeze(torch.embedding(cos, positions), 2)
                            s = torch.unsqueeze(torch.embedding(sin, positions), 2)
                            e = torch.embedding(embedding, tokens)
                            B = torch.size(states, 0)
                            masks = torch.sub(torch.size(tokens, 1), torch.size(states, 1))
                            g = torch.cat([self.linear(states, p[1]), torch.expand(self.linear(p[0], p[1]), [B, masks, HIDDEN])], 1)
                            u = torch.cat([torch.rms_norm(e, [HIDDEN], p[3], EPS), torch.rms_norm(g, [HIDDEN], p[2], EPS)], -1)
                            q, k, v = self.project(u, p[4], c, s)
                            x = self.layer_output(g, self.among(q, k, v, mask), p[5], p[6], p[7], p[8])
                        """);
        for (int layer = 1; layer < plan.layers(); layer++) {
            text.append(
                    LayerScript.maskedLayer(FIRST_LAYER + (layer - 1) * LayerScript.PARAMETERS));
        }
        return filled(text.append("    return x\n").toString(), layers);
    }

    private static String judged(DecoderConfig layers, PEaglePlan plan) {
        int lastNorm = FIRST_LAYER + (plan.layers() - 1) * LayerScript.PARAMETERS;
        var captured =
                IntStream.range(0, plan.capturedLayers().size())
                        .mapToObj(state -> "x[%d]".formatted(TRUTH + 1 + state))
                        .collect(Collectors.joining(", "));
        return filled(
                """
                  def guesses(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                    n = torch.sub(torch.size(x[TRUTH], 1), AHEAD)
                    states = torch.contiguous(torch.slice(torch.cat([CAPTURED], -1), 1, 0, n))
                    s = self.stream(p, x[0], x[1], x[2], states, c[0], c[2], c[3])
                    z = self.linear(torch.rms_norm(s, [HIDDEN], p[NORM], EPS), p[LAST])
                    return torch.reshape(z, [-1, torch.size(z, 2)])
                  def truth(self: __torch__.M, x: List[Tensor], c: List[Tensor]) -> Tensor:
                    return self.linear(torch.index_select(torch.reshape(x[TRUTH], [-1, HIDDEN]), 0, x[3]), c[1])
                  def loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                    return self.slots_loss(self.guesses(p, x, c), self.truth(x, c), x[4])
                  def measures(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
                    z = self.guesses(p, x, c)
                    y = self.truth(x, c)
                    out = [self.slots_loss(z, y, x[4])]
                    more = self.slots_measures(z, y)
                    for each in range(torch.len(more)):
                      _0 = torch.append(out, more[each])
                    return out
                """
                        .replace("CAPTURED", captured)
                        .replace("NORM", "" + lastNorm)
                        .replace("LAST", "" + (lastNorm + 1)),
                layers);
    }

    private static String filled(String text, DecoderConfig layers) {
        return text.replace("TRUTH", "" + TRUTH)
                .replace("AHEAD", "" + PEagleLearner.AHEAD)
                .replace("HIDDEN", "" + layers.hiddenSize())
                .replace("EPS", "" + layers.normEpsilon());
    }
}
