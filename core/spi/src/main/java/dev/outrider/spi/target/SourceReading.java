package dev.outrider.spi.target;

import java.util.List;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// How an encoder-decoder reads: its encoder reads a source, and its decoder writes after a prompt of its own.
///
/// @param maxPositions longest source in tokens, special ones included
/// @param start        token ids that the decoder's prompt begins with, at least one, such as the pad token of T5
/// @see "Vaswani et al. 2017, section 3.1; Raffel et al. 2020 (T5), section 2.1"
@API(status = Status.EXPERIMENTAL, since = "3")
public record SourceReading(int maxPositions, List<Integer> start) {
    /// Copies the tokens and checks that a sequence can begin.
    public SourceReading {
        start = List.copyOf(start);
        if (maxPositions < 1) {
            throw new IllegalArgumentException(
                    "maxPositions %d is not positive".formatted(maxPositions));
        }
        if (start.isEmpty()) {
            throw new IllegalArgumentException("a decoder begins with at least one token");
        }
    }
}
