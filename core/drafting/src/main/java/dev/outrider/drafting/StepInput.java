package dev.outrider.drafting;

import dev.outrider.common.Require;

/// A guessed token that a draft step is run for.
///
/// @param token     the token, an id of the target's vocabulary
/// @param parentRow row of its parent, counted as [DraftStepper#step] says; [#ROOT] when the parent is the root
/// @param depth     distance from the root, at least 1
public record StepInput(int token, int parentRow, int depth) {
    /// The parent row of nodes right below the root.
    public static final int ROOT = -1;

    public StepInput {
        Require.that(
                token >= 0 && parentRow >= ROOT && depth >= 1,
                "token %d, parentRow %d and depth %d must satisfy token >= 0, parentRow >= -1, depth >= 1",
                token,
                parentRow,
                depth);
    }
}
