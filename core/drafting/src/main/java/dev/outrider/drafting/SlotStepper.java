package dev.outrider.drafting;

import java.util.List;

/// The guesses of one round of a drafter that computes them in one pass, each independently of the others: the pass has already
/// run, and a step reads a slot. The guess at depth d + 1 is that of slot d.
///
/// Confined to one thread.
///
/// @param slots logits of every slot, by its number; valid while the stepper is used
public record SlotStepper(LogitRows slots) implements DraftStepper {
    @Override
    public Dependence dependence() {
        return Dependence.DEPTH;
    }

    @Override
    public LogitRows root() {
        return at(0);
    }

    @Override
    public LogitRows step(List<StepInput> nodes) {
        return at(nodes.getFirst().depth());
    }

    /// The same row for all nodes of a depth.
    private LogitRows at(int slot) {
        return _ -> slots.row(slot);
    }
}
