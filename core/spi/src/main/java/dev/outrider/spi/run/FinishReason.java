package dev.outrider.spi.run;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Why a sequence ended.
@API(status = Status.STABLE, since = "2")
public enum FinishReason {
    /// A token that ends sequences was emitted.
    END_OF_SEQUENCE,
    /// A stop string was written.
    STOP_STRING,
    /// As many tokens as were asked for were emitted.
    MAX_TOKENS,
    /// Somebody asked the run to end.
    CANCELLED
}
