package dev.outrider.serving;

/// The limits of an engine's work at one time.
///
/// @param maxSequences most requests that share a pass, at least 1
/// @param maxQueued    most requests, or groups of them, that wait while all places are taken, at least 0
/// @param cacheBytes   most bytes of caches of targets and drafters whose sizes are known; at least 1
/// @param prefillRows  most tokens of a prompt that are read between two rounds, at least 1
/// @param sharePrompts whether prompts share their common prefixes
public record ServingLimits(
        int maxSequences, int maxQueued, long cacheBytes, int prefillRows, boolean sharePrompts) {
    /// The default number of tokens of a prompt that are read at a time.
    public static final int PREFILL_ROWS = 128;

    /// Checks that the limits allow a request.
    public ServingLimits {
        require(maxSequences >= 1, "maxSequences", maxSequences, "1 or more");
        require(maxQueued >= 0, "maxQueued", maxQueued, "0 or more");
        require(cacheBytes >= 1, "cacheBytes", cacheBytes, "1 or more");
        require(prefillRows >= 1, "prefillRows", prefillRows, "1 or more");
    }

    /// Limits of an engine that shares prompts.
    public ServingLimits(int maxSequences, int maxQueued, long cacheBytes, int prefillRows) {
        this(maxSequences, maxQueued, cacheBytes, prefillRows, true);
    }

    /// Limits without a budget of bytes.
    public static ServingLimits of(int maxSequences, int maxQueued) {
        return new ServingLimits(maxSequences, maxQueued, Long.MAX_VALUE, PREFILL_ROWS);
    }

    private static void require(boolean condition, String name, long value, String expected) {
        if (!condition) {
            throw new IllegalArgumentException("%s %d must be %s".formatted(name, value, expected));
        }
    }
}
