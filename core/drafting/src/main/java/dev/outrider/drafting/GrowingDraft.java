package dev.outrider.drafting;

import java.util.List;

/// A draft that is growing: says what it wants to be run next and takes the logits of it.
///
/// Confined to one thread.
sealed interface GrowingDraft
        permits TemplateGrowth, DynamicTree.Growth, ProductTree.Growth {
    /// Whether nothing more is wanted.
    boolean done();

    /// What is to be run next, as [DraftStepper#step] gets it; nothing where the root's logits are wanted, which come first. Not asked
    /// once the draft is done.
    List<StepInput> wanted();

    /// Takes the logits of what was wanted. They are not looked at later.
    void take(DraftStepper.LogitRows logits);

    /// The draft as far as it has grown. Called once, last.
    DraftWithRows finish();
}
