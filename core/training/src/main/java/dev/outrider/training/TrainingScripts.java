package dev.outrider.training;

import java.util.Optional;

/// Pieces of TorchScript that programs of learners share.
public final class TrainingScripts {
    private TrainingScripts() {}

    /// The method `linear(self, x: Tensor, w: Tensor) -> Tensor`: `x` times the transpose of `w`, in a precision.
    public static String linear(TrainingConfig.Precision precision) {
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

    /// The method `divergence(self, log_q: Tensor, teacher: Tensor) -> Tensor`: mean over rows of how far the distribution of
    /// log-probabilities `log_q` is from that of the teacher's logits, both `[n, V]`.
    static String divergence(Divergence divergence) {
        return "  def divergence(self: __torch__.M, log_q: Tensor, teacher: Tensor) -> Tensor:\n"
                + switch (divergence) {
                    case FORWARD_KL ->
                            """
                                agreement = torch.mul(torch.softmax(teacher, -1), log_q)
                                return torch.neg(torch.mean(torch.sum(agreement, [-1])))
                            """;
                    case REVERSE_KL ->
                            """
                                log_p = torch.log_softmax(teacher, -1)
                                return torch.mean(torch.sum(torch.mul(torch.exp(log_q), torch.sub(log_q, log_p)), [-1]))
                            """;
                    case JENSEN_SHANNON ->
                            """
                                log_p = torch.log_softmax(teacher, -1)
                                log_m = torch.sub(torch.logaddexp(log_p, log_q), %s)
                                p = torch.mul(torch.exp(log_p), torch.sub(log_p, log_m))
                                q = torch.mul(torch.exp(log_q), torch.sub(log_q, log_m))
                                return torch.mul(torch.mean(torch.sum(torch.add(p, q), [-1])), 0.5)
                            """
                                    .formatted(Math.log(2));
                    case TOTAL_VARIATION ->
                            """
                                log_p = torch.log_softmax(teacher, -1)
                                apart = torch.abs(torch.sub(torch.exp(log_q), torch.exp(log_p)))
                                return torch.mul(torch.mean(torch.sum(apart, [-1])), 0.5)
                            """;
                };
    }

    /// The method `soft_loss(self, z: Tensor, teacher: Tensor) -> Tensor`: mean over rows of how far the distribution of
    /// logits `z` is from that of the teacher's, both `[n, V]`.
    public static String softLoss(Divergence divergence) {
        return divergence(divergence)
                + """
                  def soft_loss(self: __torch__.M, z: Tensor, teacher: Tensor) -> Tensor:
                    return self.divergence(torch.log_softmax(z, -1), teacher)
                """;
    }

    /// The method `main_loss(self, z: Tensor, labels: Tensor, x: List[Tensor])`: of logits `z`, `[n, V]`, with the tokens
    /// that follow, and with the distribution of a teacher if there is one. Its logits, `[n, V]`, are then the last of the inputs `x`.
    static String mainLoss(Optional<TrainingConfig.Distillation> teaching) {
        var method =
                "  def main_loss(self: __torch__.M, z: Tensor, labels: Tensor, x: List[Tensor]) -> Tensor:\n";
        if (teaching.isEmpty()) {
            return method + "    return torch.cross_entropy_loss(z, torch.view(labels, [-1]))\n";
        }
        double weight = teaching.get().weight();
        return divergence(teaching.get().divergence())
                + method
                + """
                    log_q = torch.log_softmax(z, -1)
                    soft = self.divergence(log_q, x[-1])
                """
                + (weight == 1
                        ? "    return soft\n"
                        : """
                            hard = torch.nll_loss(log_q, torch.view(labels, [-1]))
                            return torch.add(torch.mul(hard, %s), torch.mul(soft, %s))
                        """
                                .formatted(1 - weight, weight));
    }

    /// The method `learned(self, z: Tensor, mask: Tensor) -> Tensor`: the rows of `z` where the mask, of as many elements, is not 0.
    /// Where it is 0 everywhere, one row of zeros, from which nothing can be learned.
    public static String learned() {
        return """
          def learned(self: __torch__.M, z: Tensor, mask: Tensor) -> Tensor:
            at = torch.view(torch.nonzero(torch.reshape(mask, [-1])), [-1])
            if torch.eq(torch.size(at, 0), 0):
              found = torch.mul(torch.slice(z, 0, 0, 1), 0)
            else:
              found = torch.index_select(z, 0, at)
            return found
        """;
    }

    /// The methods of a step:
    ///
    /// - `backward(value, share, p)`: the loss, then a gradient for each parameter, of the loss times `share`
    /// - `accumulate(sum, more)`: adds gradients to gradients
    static String backward() {
        return """
          def backward(self: __torch__.M, value: Tensor, share: float, p: List[Tensor]) -> List[Tensor]:
            found = torch.grad([torch.mul(value, share)], p)
            out = [torch.detach(value)]
            for i in range(torch.len(found)):
              g = found[i]
              _0 = torch.append(out, unchecked_cast(Tensor, g))
            return out
          def accumulate(self: __torch__.M, sum: List[Tensor], more: List[Tensor]) -> Tensor:
            torch._foreach_add_(sum, more)
            return sum[0]
        """;
    }

    /// The method `gradients(p, x, c)` of a program that has `loss`: the loss, then a gradient for each parameter.
    public static String gradients() {
        return backward()
                + """
                  def gradients(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
                    return self.backward(self.loss(p, x, c), 1., p)
                """;
    }
}
