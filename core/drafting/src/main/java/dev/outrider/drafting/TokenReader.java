package dev.outrider.drafting;

/// A session that depends on the committed tokens alone: it can get them without a draft and without scores. It
/// records the tokens, and reads them when it is asked for a draft (docs/decisions/0084-drafters-read-missed-tokens-when-asked.md).
///
/// Confined to one thread.
public interface TokenReader {
    /// Records committed tokens; the last one is the root of the next draft. A proposal without a verdict is dropped.
    ///
    /// @throws IllegalStateException if the session has not begun
    void note(int... tokens);
}
