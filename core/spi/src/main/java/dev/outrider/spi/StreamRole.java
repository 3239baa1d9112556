package dev.outrider.spi;

/// What a random number is used for. Streams of different roles are independent.
public enum StreamRole {
    /// Drawing a draft token.
    DRAFT,
    /// Testing whether a draft token is accepted.
    ACCEPT,
    /// Drawing the correction after a rejection.
    RESIDUAL,
    /// Drawing the token after a fully accepted path.
    BONUS,
    /// The noise of a position, which drafter and target share; see [Coins#race].
    COUPLED
}
