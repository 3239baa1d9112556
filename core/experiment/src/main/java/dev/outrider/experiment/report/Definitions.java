package dev.outrider.experiment.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// What every number of a result means, printed with it.
public final class Definitions {
    private static final Map<String, String> ALL = all();

    private Definitions() {}

    /// Sentences by name of the number in `details.json`.
    public static Map<String, String> byName() {
        return ALL;
    }

    private static Map<String, String> all() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put(
                "alpha",
                "accepts / (accepts + rejections) over the positions reached: estimates the mean of beta = sum min(p, q)");
        all.put(
                "tokensPerRound",
                "tokens emitted / target passes, the following token included; plain decoding is 1 (tau, MAT, block efficiency)");
        all.put("perPosition", "accepted at position i / drafts");
        all.put("conditionalPerPosition", "accepted at position i / tested at position i");
        all.put("draftAcceptanceRate", "accepted / drafted; falls with the draft length");
        all.put("c", "time of one draft step / of one target pass of one row, both measured");
        all.put(
                "predictedSpeedup.byAlphaAndCost",
                "(1 - a^(K+1)) / ((1 - a)(K c + 1)), K the mean depth of the drafts");
        all.put(
                "predictedSpeedup.byTimes",
                "E[tokens] t(1) / (t_draft + t(n) + t_rest) with measured times, t(1) a whole round of plain decoding");
        all.put(
                "speedup",
                "time per token of plain decoding / of the side: same process, model, prompts and precision, sides interleaved,"
                        + " paired by prompt; median [95 % bootstrap interval]; in a batch, of the prompts decoded together");
        all.put(
                "tokensPerSecond",
                "all emitted tokens, counted by ids, / the time of whole generations, prefill of target and drafter included");
        all.put(
                "meanNanos",
                "mean times of a round: draft, score (the target's pass), decide, commit, observe, rest; in a batch a sequence's share"
                        + " of the pass");
        all.put("costCurve", "t(n): mean time of a target pass of n rows, and t(n) / t(1)");
        all.put(
                "wastedTokens",
                "guesses drafted and scored that were not accepted; each is also a row of the cache that was computed and dropped");
        all.put(
                "counts.histogram",
                "rounds by number of accepted guesses, from 0; by request in rounds.jsonl");
        all.put(
                "memoryBoundSpeedup",
                "MBSU: tokens per round / (parameter ratio x draft steps + 1), which knows nothing of the hardware");
        all.put(
                "latencyMillis",
                "median time to the first token; 50th, 90th and 99th percentile of a token's time, the tokens of a round sharing it;"
                        + " in a batch, of the sequence's share");
        all.put(
                "losslessness",
                "lossless-in-law: sampled output follows the target's law; greedy-equal: ids equal plain decoding; lossy: neither");
        all.put(
                "evidence",
                "tests of that promise on the output itself; greedy ids are compared in mismatches");
        all.put(
                "diagnosis",
                "factors that lead from predictedSpeedup.byAlphaAndCost to the measured speedup; their product is the quotient");
        all.put(
                "batch",
                "prompts decoded together, every round one pass of the target; both sides alike");
        return Collections.unmodifiableMap(all);
    }
}
