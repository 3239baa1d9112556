package dev.outrider.training;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// TorchScript that judges the slots of [PractisedDepths] by a target's distributions.
public final class DepthScript {
    private DepthScript() {}

    /// The methods, of logits `z` and of the target's at the same places `y`, `[B N, V]` each, row by row:
    ///
    /// - `slots_loss(z, y, mask)`: mean divergence where the mask, `[B N]`, is not 0
    /// - `slots_measures(z, y)`: of every depth the share where both have the same best token, then of every depth the probability
    ///   that a drawn token is accepted
    ///
    /// @param width      tokens of a row
    /// @param ahead      as in [PractisedDepths]
    /// @param divergence how distributions are compared
    /// @see "An et al. 2025 (PARD), section 3.2; Leviathan et al. 2023, section 3.2"
    public static String methods(DepthPlan plan, int width, int ahead, Divergence divergence) {
        var kept =
                IntStream.of(plan.kept(width - ahead))
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining(", "));
        return TrainingScripts.softLoss(divergence)
                + TrainingScripts.learned()
                + """
                  def slots_loss(self: __torch__.M, z: Tensor, y: Tensor, mask: Tensor) -> Tensor:
                    return self.soft_loss(self.learned(z, mask), self.learned(y, mask))
                  def by_depth(self: __torch__.M, values: Tensor) -> List[Tensor]:
                    parts = torch.split_with_sizes(torch.view(values, [-1, SLOTS]), [KEPT], 1)
                    out = annotate(List[Tensor], [])
                    for depth in range(torch.len(parts)):
                      _0 = torch.append(out, torch.mean(parts[depth]))
                    return out
                  def slots_measures(self: __torch__.M, z: Tensor, y: Tensor) -> List[Tensor]:
                    same = torch.to(torch.eq(torch.argmax(y, -1, False), torch.argmax(z, -1, False)), 6)
                    taken = torch.sum(torch.minimum(torch.softmax(y, -1), torch.softmax(z, -1)), [-1])
                    out = self.by_depth(same)
                    more = self.by_depth(taken)
                    for depth in range(torch.len(more)):
                      _0 = torch.append(out, more[depth])
                    return out
                """
                        .replace("KEPT", kept)
                        .replace("SLOTS", "" + IntStream.of(plan.kept(width - ahead)).sum());
    }
}
