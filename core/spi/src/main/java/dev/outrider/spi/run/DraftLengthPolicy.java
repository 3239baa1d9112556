package dev.outrider.spi.run;

import dev.outrider.spi.config.ComponentFactory;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Decides, for one sequence, the greatest depth of the next draft. It reads finished rounds only, never the token
/// that is being drafted, so that no draft depends on the value of a token that it leaves out (docs/reference/algorithms.md I1).
///
/// Confined to one thread.
@API(status = Status.EXPERIMENTAL, since = "2")
public interface DraftLengthPolicy {
    /// {@return depth of the next draft, at least 0} The drafter's own limit and the room left also apply; 0 is a round of plain
    /// decoding.
    int next();

    /// {@return the reason of the last [#next], a few words for the record of the round; by default empty}
    default String reason() {
        return "";
    }

    /// Learns from a finished round.
    ///
    /// @param round its draft, its accepted tokens and its times
    default void observe(DecodeEvent.RoundCompleted round) {}

    /// Makes draft-length policies from configuration. Thread-safe; does no I/O.
    ///
    /// @param <C> the record a configuration binds to
    interface Factory<C extends Record> extends ComponentFactory<C> {
        /// Starts choosing for one sequence.
        ///
        /// @param config the bound configuration
        /// @return a policy that has seen no round
        DraftLengthPolicy start(C config);

        /// Starts choosing for the sequences of one variant. If a factory's policies learn from one another's sequences, it gives them
        /// their shared state here; by default they share nothing.
        ///
        /// @param config the bound configuration
        /// @return makes the policy of a sequence; called from any thread
        default Supplier<DraftLengthPolicy> sequences(C config) {
            return () -> start(config);
        }
    }
}
