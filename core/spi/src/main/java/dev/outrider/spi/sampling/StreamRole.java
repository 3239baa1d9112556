package dev.outrider.spi.sampling;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// What a random number is used for. Streams of different roles are independent.
@API(status = Status.STABLE, since = "2")
public enum StreamRole {
    /// Drawing a draft token.
    DRAFT,
    /// Testing whether a draft token is accepted.
    ACCEPT,
    /// Drawing the correction after a rejection.
    RESIDUAL,
    /// Drawing the token after a fully accepted path.
    BONUS,
    /// The noise of a position, which drafter and target share; see [Randomness#gumbelTopK].
    COUPLED
}
