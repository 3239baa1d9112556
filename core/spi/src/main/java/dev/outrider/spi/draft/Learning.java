package dev.outrider.spi.draft;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// How a drafter learns from the sequences that it drafted for. It does so only when it is told to, between sequences: a session drafts
/// to its end with what was known when it was opened, so a draft and the distribution that a rule judges it by always come from
/// one set of parameters.
///
/// Called by one thread at a time; sessions may be open on others.
///
/// @see "Liu et al. 2024 (Online Speculative Decoding), algorithm 1"
@API(status = Status.EXPERIMENTAL, since = "5")
public interface Learning {
    /// Learns from what sessions that were closed since the last call observed. Sessions that are opened later draft with what came
    /// of it. The same sequences in the same order lead to the same drafts.
    ///
    /// @return sequences learned from; 0 if it waits for more
    /// @throws dev.outrider.spi.error.OutriderException `TRAINING_DIVERGED` if a loss or gradient is not finite
    int learn();

    /// Forgets all it learned, and what it observed since: sessions that are opened later draft as those of a drafter just loaded.
    void restart();
}
