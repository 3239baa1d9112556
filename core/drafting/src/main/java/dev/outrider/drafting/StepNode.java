package dev.outrider.drafting;

/// A guessed token that a draft step is run for.
///
/// @param token     the token, an id of the target's vocabulary
/// @param parentRow row of its parent, counted as [DraftStepper#step] says; [#ROOT] when the parent is the root
/// @param depth     distance from the root, at least 1
public record StepNode(int token, int parentRow, int depth) {
    /// The parent row of nodes right below the root.
    public static final int ROOT = -1;

    public StepNode {
        if (token < 0 || parentRow < ROOT || depth < 1) {
            throw new IllegalArgumentException(
                    "token %d, parentRow %d and depth %d must satisfy token >= 0, parentRow >= -1, depth >= 1"
                            .formatted(token, parentRow, depth));
        }
    }
}
