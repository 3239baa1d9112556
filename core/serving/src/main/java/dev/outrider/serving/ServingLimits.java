package dev.outrider.serving;

import dev.outrider.common.Require;

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
        Require.atLeast("maxSequences", maxSequences, 1);
        Require.atLeast("maxQueued", maxQueued, 0);
        Require.atLeast("cacheBytes", cacheBytes, 1);
        Require.atLeast("prefillRows", prefillRows, 1);
    }
}
