package dev.outrider.nn.eagle;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.train.LayerScript;
import dev.outrider.nn.train.TrainingConfig;
import dev.outrider.nn.train.TrainingScripts;

/// The TorchScript by which heads of both kinds are trained.
///
/// Shapes: B rows of W tokens, n = W - 1 slots, d hidden size, V tokens. Slot t pairs the target's feature of position
/// t with token t + 1; what it makes is compared with the target at position t + 1. Constants: the target's embedding
/// and head `[V, d]`, cosines and signed sines.
final class EagleProgram {
    private EagleProgram() {}

    /// EAGLE-1: the next feature is learned by regression, and by what the head makes of it. Inputs: tokens `[B, W]`,
    /// features after the final norm `[B, W, d]`. Parameters: fc, q-k-v, output, norm, gate-up, down.
    ///
    /// @see "Li et al. 2024 (EAGLE), section 4.2"
    static String first(
            DecoderConfig config,
            TrainingConfig.Precision precision,
            double regressionWeight,
            double crossEntropyWeight) {
        return TrainingScripts.linear(precision)
                + TrainingScripts.softCrossEntropy()
                + LayerScript.methods(config)
                + """
                  def draft(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                    n = torch.sub(torch.size(x[0], 1), 1)
                    e = torch.embedding(c[0], torch.slice(x[0], 1, 1, torch.add(n, 1)))
                    z = self.linear(torch.cat([e, torch.slice(x[1], 1, 0, n)], -1), p[0])
                    q, k, v = self.project(z, p[1], torch.slice(c[2], 0, 0, n), torch.slice(c[3], 0, 0, n))
                    return self.layer_output(z, self.causal(q, k, v), p[2], p[3], p[4], p[5])
                  def truth(self: __torch__.M, x: List[Tensor]) -> Tensor:
                    return torch.slice(x[1], 1, 1, torch.size(x[1], 1))
                  def logits(self: __torch__.M, f: Tensor, c: List[Tensor]) -> Tensor:
                    return torch.reshape(self.linear(f, c[1]), [-1, VOCABULARY])
                  def loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
                    f = self.draft(p, x, c)
                    t = self.truth(x)
                    regression = torch.smooth_l1_loss(f, t)
                    entropy = self.soft_cross_entropy(self.logits(f, c), self.logits(t, c))
                    return torch.add(torch.mul(regression, REGRESSION), torch.mul(entropy, ENTROPY))
                  def measures(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
                    f = self.draft(p, x, c)
                    t = self.truth(x)
                    z = self.logits(f, c)
                    y = self.logits(t, c)
                    same = torch.eq(torch.argmax(z, -1, False), torch.argmax(y, -1, False))
                    return [self.loss(p, x, c), torch.smooth_l1_loss(f, t), self.soft_cross_entropy(z, y), torch.mean(torch.to(same, 6))]
                """
                        .replace("VOCABULARY", "" + config.vocabularySize())
                        .replace("REGRESSION", "" + regressionWeight)
                        .replace("ENTROPY", "" + crossEntropyWeight);
    }

    /// EAGLE-3: training-time test. Step 0 reads the target's features; step k reads what step k - 1 put out, a token
    /// further on, and attends to the columns of step 0 up to its own and, of the steps between, to its own column
    /// only. Inputs: tokens `[B, W]`, the captured states `[B, W, d]` one by one, features after the final norm.
    /// Parameters: fc, norm of the feature, norm of the embedding, q-k-v, output, norm, gate-up, down, last norm, head.
    ///
    /// @param captured how many states are captured
    /// @param steps    steps of the test, at least 1
    /// @param decay    weight of a step's loss relative to the step before
    /// @see "Li et al. 2025 (EAGLE-3), section 3.2"
    static String third(
            DecoderConfig config,
            TrainingConfig.Precision precision,
            int captured,
            int steps,
            double decay) {
        var source = new StringBuilder();
        source.append(TrainingScripts.linear(precision));
        source.append(TrainingScripts.softCrossEntropy());
        source.append(LayerScript.methods(config));
        source.append(diagonal(config));
        source.append(columns(config, captured, steps));
        source.append(thirdLoss(steps, decay));
        return source.toString();
    }

    /// Attention of later steps: `keys` and `values` hold those of every step so far.
    private static String diagonal(DecoderConfig config) {
        return """
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
        """
                .replace("SCALE", "" + 1 / Math.sqrt(config.headSize()));
    }

    /// Logits of every step, `[B, n, V]`, in a list. The last `step` columns of a step have no token to read and count
    /// for nothing; they are kept so that all products have one shape.
    private static String columns(DecoderConfig config, int captured, int steps) {
        var states = new StringBuilder();
        for (int state = 0; state < captured; state++) {
            states.append(state == 0 ? "" : ", ").append("x[%d]".formatted(1 + state));
        }
        return """
          def columns(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
            W = torch.size(x[0], 1)
            n = torch.sub(W, 1)
            g = self.linear(torch.contiguous(torch.slice(torch.cat([STATES], -1), 1, 0, n)), p[0])
            keys = annotate(List[Tensor], [])
            values = annotate(List[Tensor], [])
            out = annotate(List[Tensor], [])
            for step in range(STEPS):
              padding = torch.slice(x[0], 1, 0, step)
              tokens = torch.cat([torch.slice(x[0], 1, torch.add(step, 1), W), padding], 1)
              e = torch.embedding(c[0], tokens)
              u = torch.cat([torch.rms_norm(e, [HIDDEN], p[2], EPS), torch.rms_norm(g, [HIDDEN], p[1], EPS)], -1)
              end = torch.add(step, n)
              q, k, v = self.project(u, p[3], torch.slice(c[2], 0, step, end), torch.slice(c[3], 0, step, end))
              _0 = torch.append(keys, k)
              _1 = torch.append(values, v)
              if torch.eq(step, 0):
                o = self.causal(q, k, v)
              else:
                o = self.diagonal(q, keys, values)
              g = self.layer_output(g, o, p[4], p[5], p[6], p[7])
              _2 = torch.append(out, self.linear(torch.rms_norm(g, [HIDDEN], p[8], EPS), p[9]))
            return out
          def truth(self: __torch__.M, x: List[Tensor], c: List[Tensor]) -> Tensor:
            return self.linear(torch.contiguous(torch.slice(x[FEATURE], 1, 1, torch.size(x[0], 1))), c[1])
          def guess(self: __torch__.M, z: Tensor, step: int) -> Tensor:
            return torch.reshape(torch.slice(z, 1, 0, torch.sub(torch.size(z, 1), step)), [-1, VOCABULARY])
          def law(self: __torch__.M, y: Tensor, step: int) -> Tensor:
            return torch.reshape(torch.slice(y, 1, step, torch.size(y, 1)), [-1, VOCABULARY])
        """
                .replace("STATES", states)
                .replace("STEPS", "" + steps)
                .replace("HIDDEN", "" + config.hiddenSize())
                .replace("EPS", "" + config.normEpsilon())
                .replace("VOCABULARY", "" + config.vocabularySize())
                .replace("FEATURE", "" + (1 + captured));
    }

    private static String thirdLoss(int steps, double decay) {
        double total = 0;
        for (int step = 0; step < steps; step++) {
            total += Math.pow(decay, step);
        }
        return """
          def loss(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> Tensor:
            z = self.columns(p, x, c)
            y = self.truth(x, c)
            weight = FIRST
            value = torch.mul(self.soft_cross_entropy(self.guess(z[0], 0), self.law(y, 0)), weight)
            for j in range(torch.sub(torch.len(z), 1)):
              step = torch.add(j, 1)
              weight = torch.mul(weight, DECAY)
              value = torch.add(value, torch.mul(self.soft_cross_entropy(self.guess(z[step], step), self.law(y, step)), weight))
            return value
          def measures(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
            z = self.columns(p, x, c)
            y = self.truth(x, c)
            out = [self.loss(p, x, c)]
            for step in range(torch.len(z)):
              best = torch.argmax(self.guess(z[step], step), -1, False)
              same = torch.eq(best, torch.argmax(self.law(y, step), -1, False))
              _0 = torch.append(out, torch.mean(torch.to(same, 6)))
            return out
        """
                .replace("FIRST", "" + 1 / total)
                .replace("DECAY", "" + decay);
    }
}
