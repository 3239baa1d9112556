package dev.outrider.drafter.eagle;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.torch.LayerScript;
import dev.outrider.training.Divergence;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingScripts;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The TorchScript by which heads of both kinds are trained.
///
/// Shapes: B rows of W tokens, n = W - 1 slots, d hidden size, V tokens. Slot t pairs the target's feature of position
/// t with token t + 1; its output is compared with the target at position t + 1. Constants: the target's embedding
/// and head `[V, d]`, cosines and signed sines.
///
/// Both learn several guesses in a row, as when drafting (training-time test): step 0 reads the target's features; step k
/// reads the output of step k - 1, one token further on, and attends to the columns of step 0 up to its own and, of the
/// steps between, to its own column only.
///
/// @see "Li et al. 2025 (EAGLE-3), section 3.2; Zhang et al. 2024 (HASS), section 3.2, for EAGLE-1's layer"
final class EagleProgram {
    private static final int FIRST_STATE_NORM = 10;

    private EagleProgram() {}

    /// Returns the program of EAGLE-1: the next feature is learned by regression, and by the logits that the target's head
    /// makes of it. Inputs: tokens
    /// `[B, W]`, features after the final norm `[B, W, d]`, which tokens are learned `[B, W]`. Parameters: fc, q-k-v, output, norm, gate-up, down.
    ///
    /// @see "Li et al. 2024 (EAGLE), section 4.2"
    static String first(DecoderConfig config, TrainingConfig.Precision precision, EaglePlan plan) {
        return common(config, precision, plan.divergence())
                + """
                  def logits(self: __torch__.M, f: Tensor, c: List[Tensor]) -> Tensor:
                    return self.linear(torch.contiguous(f), c[1])
                  def features(self: __torch__.M, x: List[Tensor]) -> Tensor:
                    return torch.slice(x[1], 1, 1, torch.size(x[1], 1))
                  def truth(self: __torch__.M, x: List[Tensor], c: List[Tensor]) -> Tensor:
                    return self.logits(self.features(x), c)
                  def columns(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
                    n = torch.sub(torch.size(x[0], 1), 1)
                    g = torch.slice(x[1], 1, 0, n)
                    keys = annotate(List[Tensor], [])
                    values = annotate(List[Tensor], [])
                    out = annotate(List[Tensor], [])
                    for step in range(STEPS):
                      z = self.linear(torch.cat([self.following(x, c, step), g], -1), p[0])
                      end = torch.add(step, n)
                      q, k, v = self.project(z, p[1], torch.slice(c[2], 0, step, end), torch.slice(c[3], 0, step, end))
                      g = self.layer_output(z, self.attend(q, k, v, keys, values), p[2], p[3], p[4], p[5])
                      _0 = torch.append(out, g)
                    return out
                  def regression(self: __torch__.M, f: Tensor, x: List[Tensor], step: int) -> Tensor:
                    t = self.features(x)
                    return torch.smooth_l1_loss(self.guess(f, x, step), self.distribution(t, x, step))
                  def entropy(self: __torch__.M, f: Tensor, x: List[Tensor], y: Tensor, c: List[Tensor], step: int) -> Tensor:
                    return self.soft_loss(self.guess(self.logits(f, c), x, step), self.distribution(y, x, step))
                  def step_loss(self: __torch__.M, f: Tensor, x: List[Tensor], y: Tensor, c: List[Tensor], step: int) -> Tensor:
                    regression = torch.mul(self.regression(f, x, step), REGRESSION)
                    return torch.add(regression, torch.mul(self.entropy(f, x, y, c, step), ENTROPY))
                  def loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                    f = self.columns(p, x, c)
                    y = self.truth(x, c)
                    weight = FIRST
                    value = torch.mul(self.step_loss(f[0], x, y, c, 0), weight)
                    for j in range(torch.sub(torch.len(f), 1)):
                      step = torch.add(j, 1)
                      weight = torch.mul(weight, DECAY)
                      value = torch.add(value, torch.mul(self.step_loss(f[step], x, y, c, step), weight))
                    return value
                  def measures(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
                    f = self.columns(p, x, c)
                    y = self.truth(x, c)
                    out = [self.loss(p, x, c), self.regression(f[0], x, 0), self.entropy(f[0], x, y, c, 0)]
                    for step in range(torch.len(f)):
                      _0 = torch.append(out, self.agreement(self.logits(f[step], c), x, y, step))
                    return out
                """
                        .replace("STEPS", "" + plan.steps())
                        .replace("REGRESSION", "" + plan.regressionWeight())
                        .replace("ENTROPY", "" + plan.crossEntropyWeight())
                        .replace("FIRST", "" + firstWeight(plan))
                        .replace("DECAY", "" + plan.decay());
    }

    /// Returns the program of EAGLE-3: training-time test. Inputs: tokens `[B, W]`, the captured states `[B, W, d]` one by one, features after
    /// the final norm, which tokens are learned `[B, W]`. Parameters: fc, norm of the feature, norm of the embedding, q-k-v, output,
    /// norm, gate-up, down, last norm, head, and with `fcNorm` a norm for each captured state.
    ///
    /// With a draft vocabulary the constants' head has its rows only, so that the target's distribution is renormalised over
    /// it; two more constants are the whole head and the target's token for each row.
    ///
    /// @see "Li et al. 2025 (EAGLE-3), section 3.2"
    static String third(DecoderConfig config, TrainingConfig.Precision precision, EaglePlan plan) {
        int captured = plan.capturedLayers().size();
        var form = plan.form();
        boolean reduced = form.draftVocabulary() > 0;
        var states =
                IntStream.range(0, captured)
                        .mapToObj(state ->
                                form.fcNorm()
                                        ? "torch.rms_norm(x[%d], [HIDDEN], p[%d], EPS)"
                                                .formatted(1 + state, FIRST_STATE_NORM + state)
                                        : "x[%d]".formatted(1 + state))
                        .collect(Collectors.joining(", "));
        return common(config, precision, plan.divergence())
                + """
                  def columns(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
                    n = torch.sub(torch.size(x[0], 1), 1)
                    g = self.linear(torch.contiguous(torch.slice(torch.cat([STATES], -1), 1, 0, n)), p[0])
                    keys = annotate(List[Tensor], [])
                    values = annotate(List[Tensor], [])
                    out = annotate(List[Tensor], [])
                    for step in range(STEPS):
                      e = self.following(x, c, step)
                      u = torch.cat([torch.rms_norm(e, [HIDDEN], p[2], EPS), torch.rms_norm(g, [HIDDEN], p[1], EPS)], -1)
                      end = torch.add(step, n)
                      q, k, v = self.project(u, p[3], torch.slice(c[2], 0, step, end), torch.slice(c[3], 0, step, end))
                      g = self.layer_output(g, self.attend(q, k, v, keys, values), p[4], p[5], p[6], p[7])
                      h = torch.rms_norm(g, [HIDDEN], p[8], EPS)
                      _0 = torch.append(out, self.linear(h, p[9]))
                      g = RECYCLED
                    return out
                  def read(self: __torch__.M, x: List[Tensor], head: Tensor) -> Tensor:
                    return self.linear(torch.contiguous(torch.slice(x[FEATURE], 1, 1, torch.size(x[0], 1))), head)
                  def truth(self: __torch__.M, x: List[Tensor], c: List[Tensor]) -> Tensor:
                    return self.read(x, c[1])
                  def widened(self: __torch__.M, z: Tensor, y: Tensor, c: List[Tensor]) -> Tensor:
                    return WIDENED
                  def loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                    z = self.columns(p, x, c)
                    y = self.truth(x, c)
                    weight = FIRST
                    value = torch.mul(self.soft_loss(self.guess(z[0], x, 0), self.distribution(y, x, 0)), weight)
                    for j in range(torch.sub(torch.len(z), 1)):
                      step = torch.add(j, 1)
                      weight = torch.mul(weight, DECAY)
                      value = torch.add(value, torch.mul(self.soft_loss(self.guess(z[step], x, step), self.distribution(y, x, step)), weight))
                    return value
                  def measures(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
                    z = self.columns(p, x, c)
                    y = self.read(x, c[HEAD])
                    out = [self.loss(p, x, c)]
                    for step in range(torch.len(z)):
                      _0 = torch.append(out, self.agreement(self.widened(z[step], y, c), x, y, step))
                    return out
                """
                        .replace("STATES", states)
                        .replace("RECYCLED", form.normOutput() ? "h" : "g")
                        .replace(
                                "WIDENED",
                                reduced
                                        ? "torch.index_copy(torch.full_like(y, -1e30), 2, c[5], z)"
                                        : "z")
                        .replace("c[HEAD]", reduced ? "c[4]" : "c[1]")
                        .replace("STEPS", "" + plan.steps())
                        .replace("HIDDEN", "" + config.hiddenSize())
                        .replace("EPS", "" + config.normEpsilon())
                        .replace("FEATURE", "" + (1 + captured))
                        .replace("FIRST", "" + firstWeight(plan))
                        .replace("DECAY", "" + plan.decay());
    }

    /// Returns what both need:
    ///
    /// - `following(x, c, step)`: embeddings of the tokens that the slots of a step read, `[B, n, d]`. The last `step`
    ///   slots have none and count for nothing; they are kept so that all products have one shape
    /// - `attend(q, k, v, keys, values)`: attention of the step whose keys and values are appended
    /// - `places(x, step)`: which of a step's slots guess a token that is learned; the last slot's token lies behind the row and is learned if
    ///   the row's last token is
    /// - `guess(z, x, step)`, `distribution(y, x, step)`: the rows of a step's slots with a learned token, and the target's rows at the same
    ///   places
    /// - `agreement(z, x, y, step)`: share of those places where both have the same best token
    private static String common(
            DecoderConfig config, TrainingConfig.Precision precision, Divergence divergence) {
        return TrainingScripts.linear(precision)
                + TrainingScripts.softLoss(divergence)
                + TrainingScripts.learned()
                + LayerScript.methods(config)
                + """
                  def diagonal(self: __torch__.M, q: Tensor, keys: List[Tensor], values: List[Tensor]) -> Tensor:
                    n = torch.size(q, 2)
                    hidden = torch.triu(torch.full([n, n], -1e30), 1)
                    scores = [torch.add(torch.matmul(q, torch.transpose(keys[0], 2, 3)), hidden)]
                    for j in range(torch.sub(torch.len(keys), 1)):
                      _0 = torch.append(scores, torch.sum(torch.mul(q, keys[torch.add(j, 1)]), [-1], True))
                    w = torch.softmax(torch.mul(torch.cat(scores, -1), SCALE), -1)
                    o = torch.matmul(torch.slice(w, 3, 0, n), values[0])
                    for j in range(torch.sub(torch.len(values), 1)):
                      at = torch.add(n, j)
                      o = torch.add(o, torch.mul(torch.slice(w, 3, at, torch.add(at, 1)), values[torch.add(j, 1)]))
                    return o
                  def attend(self: __torch__.M, q: Tensor, k: Tensor, v: Tensor, keys: List[Tensor], values: List[Tensor]) -> Tensor:
                    _0 = torch.append(keys, k)
                    _1 = torch.append(values, v)
                    if torch.eq(torch.len(keys), 1):
                      o = self.causal(q, k, v)
                    else:
                      o = self.diagonal(q, keys, values)
                    return o
                  def following(self: __torch__.M, x: List[Tensor], c: List[Tensor], step: int) -> Tensor:
                    padding = torch.slice(x[0], 1, 0, step)
                    tokens = torch.cat([torch.slice(x[0], 1, torch.add(step, 1), torch.size(x[0], 1)), padding], 1)
                    return torch.embedding(c[0], tokens)
                  def places(self: __torch__.M, x: List[Tensor], step: int) -> Tensor:
                    W = torch.size(x[0], 1)
                    last = torch.slice(x[-1], 1, torch.sub(W, 1), W)
                    return torch.cat([torch.slice(x[-1], 1, torch.add(step, 2), W), last], 1)
                  def guess(self: __torch__.M, z: Tensor, x: List[Tensor], step: int) -> Tensor:
                    all = torch.slice(z, 1, 0, torch.sub(torch.size(z, 1), step))
                    return self.learned(torch.reshape(all, [-1, torch.size(z, 2)]), self.places(x, step))
                  def distribution(self: __torch__.M, y: Tensor, x: List[Tensor], step: int) -> Tensor:
                    all = torch.slice(y, 1, step, torch.size(y, 1))
                    return self.learned(torch.reshape(all, [-1, torch.size(y, 2)]), self.places(x, step))
                  def agreement(self: __torch__.M, z: Tensor, x: List[Tensor], y: Tensor, step: int) -> Tensor:
                    best = torch.argmax(self.guess(z, x, step), -1, False)
                    return torch.mean(torch.to(torch.eq(best, torch.argmax(self.distribution(y, x, step), -1, False)), 6))
                """
                        .replace("SCALE", "" + 1 / Math.sqrt(config.headSize()));
    }

    /// The weights of the steps sum to 1.
    private static double firstWeight(EaglePlan plan) {
        double total = 0;
        for (int step = 0; step < plan.steps(); step++) {
            total += Math.pow(plan.decay(), step);
        }
        return 1 / total;
    }
}
