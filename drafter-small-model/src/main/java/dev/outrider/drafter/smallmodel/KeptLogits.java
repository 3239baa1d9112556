package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.DraftStepper;
import dev.outrider.drafting.DraftStepper.LogitRows;
import dev.outrider.drafting.StepInput;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// A round's draft steps, whose logits are kept for what works ahead.
///
/// Confined to one thread.
final class KeptLogits implements DraftStepper {
    private final DraftStepper steps;
    private final List<float[]> kept = new ArrayList<>();

    /// @param steps run the round
    KeptLogits(DraftStepper steps) {
        this.steps = steps;
    }

    @Override
    public LogitRows root() {
        return keep(steps.root(), 1);
    }

    @Override
    public LogitRows step(List<StepInput> nodes) {
        return keep(steps.step(nodes), nodes.size());
    }

    @Override
    public Dependence dependence() {
        return steps.dependence();
    }

    private LogitRows keep(LogitRows logits, int count) {
        for (int index = 0; index < count; index++) {
            kept.add(logits.row(index).toArray(ValueLayout.JAVA_FLOAT));
        }
        return logits;
    }

    /// Whether the root was run; it is not where nothing was to be drafted.
    boolean knowRoot() {
        return !kept.isEmpty();
    }

    /// Logits of the successors of what was run.
    ///
    /// @param row of a node, as steps count them; [StepInput#ROOT] for the root
    float[] after(int row) {
        return kept.get(row + 1);
    }
}
