package dev.outrider.training;

import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.spi.target.HiddenState;
import java.util.Set;
import java.util.function.Supplier;

/// Stands between a frozen target and who asks for its passes: keeps them, or has them from before. Confined as the target.
@FunctionalInterface
interface TargetPasses {
    /// What a pass over rows gives.
    ///
    /// @param states   hidden states wanted
    /// @param logits   whether logits are wanted
    /// @param manager  owner of the result
    /// @param computed the pass itself
    FrozenTarget.Outputs of(
            TokenRows rows,
            Set<HiddenState> states,
            boolean logits,
            PtNDManager manager,
            Supplier<FrozenTarget.Outputs> computed);

    /// Every pass is computed.
    static TargetPasses none() {
        return (_, _, _, _, computed) -> computed.get();
    }
}
