package dev.outrider.drafting;

/// A session that lives by the committed tokens alone: it can be told them without being asked for a draft and without scores. What it
/// is told it notes, and reads when it is asked for a draft (docs/decisions/0084-drafters-read-missed-tokens-when-asked.md).
///
/// Confined to one thread.
public interface TokenReader {
    /// Notes committed tokens; the last one is the root of the next draft. A proposal without a verdict is forgotten.
    ///
    /// @throws IllegalStateException if the session has not begun
    void note(int... tokens);
}
