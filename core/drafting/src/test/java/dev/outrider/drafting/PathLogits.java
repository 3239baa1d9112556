package dev.outrider.drafting;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;

/// Logits as a deterministic function of the tokens before a position.
///
/// @param vocabulary number of logits
/// @param seed       which function
/// @param style      what the logits look like
record PathLogits(int vocabulary, long seed, Style style) {
    enum Style {
        /// Normal numbers.
        SMOOTH,
        /// Three values only, so that most tokens tie.
        TIED,
        /// One token has all the mass and its log probability is exactly 0.
        CERTAIN,
        /// Half of the tokens are impossible.
        SPARSE
    }

    float[] after(List<Integer> path) {
        var random = new Random(seed * 1_000_003 + path.hashCode());
        var logits = new float[vocabulary];
        for (int token = 0; token < vocabulary; token++) {
            logits[token] =
                    switch (style) {
                        case SMOOTH -> (float) (2 * random.nextGaussian());
                        case TIED -> random.nextInt(3);
                        case CERTAIN -> Float.NEGATIVE_INFINITY;
                        case SPARSE ->
                                random.nextBoolean()
                                        ? (float) random.nextGaussian()
                                        : Float.NEGATIVE_INFINITY;
                    };
        }
        if (style == Style.SPARSE) {
            logits[random.nextInt(vocabulary)] = 1;
        }
        if (style == Style.CERTAIN) {
            logits[random.nextInt(vocabulary)] = 0;
            logits[random.nextInt(vocabulary)] = random.nextBoolean() ? 0 : -1;
        }
        return logits;
    }

    MemorySegment segmentAfter(List<Integer> path) {
        return MemorySegment.ofArray(after(path));
    }
}
