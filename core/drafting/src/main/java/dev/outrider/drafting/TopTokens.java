package dev.outrider.drafting;

import java.util.Arrays;

/// Partial selection of the largest scores.
public final class TopTokens {
    private TopTokens() {}

    /// Ids of the `count` largest scores, best first, the lowest id first among equals. Scores that are NaN
    /// or minus infinity are never chosen.
    public static int[] of(float[] scores, int count) {
        int wanted = Math.min(count, scores.length);
        if (wanted == 0) {
            return new int[0];
        }
        var ids = new int[wanted];
        var best = new float[wanted];
        int found = 0;
        float threshold = Float.NEGATIVE_INFINITY;
        for (int id = 0; id < scores.length; id++) {
            float score = scores[id];
            if (score > threshold) {
                int place = found < wanted ? found++ : wanted - 1;
                while (place > 0 && best[place - 1] < score) {
                    best[place] = best[place - 1];
                    ids[place] = ids[place - 1];
                    place--;
                }
                best[place] = score;
                ids[place] = id;
                if (found == wanted) {
                    threshold = best[wanted - 1];
                }
            }
        }
        return found == wanted ? ids : Arrays.copyOf(ids, found);
    }
}
