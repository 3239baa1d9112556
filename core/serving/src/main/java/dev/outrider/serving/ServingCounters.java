package dev.outrider.serving;

import dev.outrider.serving.Completion.Reason;
import java.util.List;
import java.util.Map;

/// The counters of an engine since it started, at one moment.
///
/// @param running            requests with a place in the loop
/// @param waiting            requests in the queue
/// @param finished           requests that ended, by reason
/// @param failed             requests that failed after they were taken
/// @param refused            requests refused because the queue was full
/// @param drafts             rounds of requests that had a guess
/// @param draftedTokens      nodes of all drafts
/// @param acceptedTokens     guesses that became part of a text
/// @param acceptedByPosition accepted guesses by their depth, from 1
/// @param promptTokens       tokens of prompts that were read
/// @param lookedTokens       tokens of prompts that were compared with earlier prompts
/// @param sharedTokens       those of them that an earlier prompt had read
/// @param emittedTokens      tokens emitted
/// @param cacheBytes         bytes of caches that running requests were given, and of beginnings that prompts share; 0 if the
///                           sizes of caches are unknown
/// @param cacheLimit         as [ServingLimits#cacheBytes]
/// @param firstToken         seconds from submission to the first token
/// @param betweenTokens      seconds between tokens: a round's, divided by its tokens, once for each
/// @param endToEnd           seconds from submission to the end
public record ServingCounters(
        int running,
        int waiting,
        Map<Reason, Long> finished,
        long failed,
        long refused,
        long drafts,
        long draftedTokens,
        long acceptedTokens,
        List<Long> acceptedByPosition,
        long promptTokens,
        long lookedTokens,
        long sharedTokens,
        long emittedTokens,
        long cacheBytes,
        long cacheLimit,
        Histogram firstToken,
        Histogram betweenTokens,
        Histogram endToEnd) {
    /// Copies the collections.
    public ServingCounters {
        finished = Map.copyOf(finished);
        acceptedByPosition = List.copyOf(acceptedByPosition);
    }

    /// Counts of values by size.
    ///
    /// @param bounds upper bounds, ascending, each inclusive
    /// @param counts values in each bucket, one more than bounds: the last has all larger values; not cumulative
    /// @param sum    of all values
    public record Histogram(List<Double> bounds, List<Long> counts, double sum) {
        /// Copies the lists.
        public Histogram {
            bounds = List.copyOf(bounds);
            counts = List.copyOf(counts);
        }

        /// Number of values.
        public long count() {
            return counts.stream().mapToLong(Long::longValue).sum();
        }
    }
}
