package dev.outrider.spi.run;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The pass of the target that scored a round's draft, whole: in a batch it scores the drafts of several sequences, and a
/// round's own time in it is an equal share.
///
/// @param rows      of all its sequences, their roots included
/// @param sequences whose drafts it scored, at least 1
/// @param nanos     that it took
@API(status = Status.EXPERIMENTAL, since = "2")
public record TargetPass(int rows, int sequences, long nanos) {
    /// Checks that there are rows and sequences.
    public TargetPass {
        if (sequences < 1 || rows < sequences) {
            throw new IllegalArgumentException(
                    "a pass of %d rows for %d sequences".formatted(rows, sequences));
        }
    }
}
