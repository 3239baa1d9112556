package dev.outrider.training;

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

    /// The method `soft_cross_entropy(self, z: Tensor, teacher: Tensor) -> Tensor`: mean over rows of the cross-entropy of
    /// logits `z` with the distribution of the teacher's logits, both `[n, V]`.
    public static String softCrossEntropy() {
        return """
          def soft_cross_entropy(self: __torch__.M, z: Tensor, teacher: Tensor) -> Tensor:
            agreement = torch.mul(torch.softmax(teacher, -1), torch.log_softmax(z, -1))
            return torch.neg(torch.mean(torch.sum(agreement, [-1])))
        """;
    }

    /// The method `main_loss(self, z: Tensor, labels: Tensor, x: List[Tensor])`: of logits `z`, `[n, V]`, with the tokens
    /// that follow, and with the distribution of a teacher if there is one.
    ///
    /// @param teacherWeight of the teacher's distribution in the loss, 0 to 1; with 0 there is no teacher. Its logits, `[n, V]`,
    ///                      are then the last of the inputs `x`.
    static String mainLoss(double teacherWeight) {
        var method =
                "  def main_loss(self: __torch__.M, z: Tensor, labels: Tensor, x: List[Tensor]) -> Tensor:\n";
        if (teacherWeight == 0) {
            return method + "    return torch.cross_entropy_loss(z, torch.view(labels, [-1]))\n";
        }
        return softCrossEntropy()
                + method
                + """
                    hard = torch.cross_entropy_loss(z, torch.view(labels, [-1]))
                    soft = self.soft_cross_entropy(z, x[-1])
                    return torch.add(torch.mul(hard, %s), torch.mul(soft, %s))
                """
                        .formatted(1 - teacherWeight, teacherWeight);
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

    /// The method `gradients(p, x, c)` of a program that has `loss`: the loss, then a gradient for each parameter.
    public static String gradients() {
        return """
          def gradients(self: __torch__.M, p: List[Tensor], x: List[Tensor], c: List[Tensor]) -> List[Tensor]:
            value = self.loss(p, x, c)
            found = torch.grad([value], p)
            out = [torch.detach(value)]
            for i in range(torch.len(found)):
              g = found[i]
              _0 = torch.append(out, unchecked_cast(Tensor, g))
            return out
        """;
    }
}
