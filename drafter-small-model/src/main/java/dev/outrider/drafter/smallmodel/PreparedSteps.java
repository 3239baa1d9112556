package dev.outrider.drafter.smallmodel;

import dev.outrider.drafter.smallmodel.Branches.Branch;
import dev.outrider.drafting.DraftStepper.LogitRows;
import dev.outrider.drafting.StepInput;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/// Steps of a round that were run before it began: their rows are in the cache, in this order, and the root's is committed. They
/// are taken as long as the draft asks for the same steps; from the first other one on they are of no use.
///
/// Confined to one thread.
final class PreparedSteps {
    private final float[] rootLogits;
    private final List<Branch.Level> levels;
    private int taken;

    /// @param foreseen what was run for the outcome that came
    PreparedSteps(Branch foreseen) {
        rootLogits = foreseen.rootLogits();
        levels = foreseen.levels();
    }

    LogitRows root() {
        return _ -> MemorySegment.ofArray(rootLogits);
    }

    /// Logits of the next step, if it is the one that was run.
    Optional<LogitRows> take(List<StepInput> nodes) {
        if (taken == levels.size() || !levels.get(taken).nodes().equals(nodes)) {
            taken = levels.size();
            return Optional.empty();
        }
        var logits = levels.get(taken++).logits();
        return Optional.of(index -> MemorySegment.ofArray(logits.get(index)));
    }
}
