package dev.outrider.engine.length;

import dev.outrider.common.ExploreExploit;
import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DraftLengthPolicy;

/// Two tokens more after a round that accepted everything, one fewer after any other.
///
/// @param initial length of the first draft, at least 1
/// @param max     greatest length
/// @param min     smallest length, at least 1
/// @see "Hugging Face Transformers, num_assistant_tokens_schedule = heuristic (docs/reference/algorithms.md A9.1)"
@Doc("Two tokens more after a round that accepted everything, one fewer after any other.")
public record HeuristicLength(
        @Default("5") @Doc("Length of the first draft.") int initial,
        @Default("20") @Doc("Greatest length.") int max,
        @Default("1") @Doc("Smallest length, at least 1.") int min)
        implements DraftLengthPlan {
    private static final String ALL_ACCEPTED = "all accepted";

    private static final String REJECTED = "one rejected";

    public HeuristicLength {
        Require.that(
                min >= 1 && initial >= min && max >= initial,
                "min %d, initial %d and max %d must satisfy 1 <= min <= initial <= max",
                min,
                initial,
                max);
    }

    @Override
    public DraftLengthPolicy start() {
        return new DraftLengthPolicy() {
            private int length = initial;
            private String reason = ExploreExploit.LEARNING;

            @Override
            public int next() {
                return length;
            }

            @Override
            public String reason() {
                return reason;
            }

            @Override
            public void observe(RoundCompleted round) {
                int depth = round.draft().tree().candidateDepth();
                if (depth == 0) {
                    return;
                }
                boolean all = round.verdict().acceptedLength() == depth;
                reason = all ? ALL_ACCEPTED : REJECTED;
                length = all ? Math.min(max, length + 2) : Math.max(min, length - 1);
            }
        };
    }
}
