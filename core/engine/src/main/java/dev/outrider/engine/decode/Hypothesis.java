package dev.outrider.engine.decode;

import java.util.List;
import java.util.stream.IntStream;

/// A text that a beam search came to.
///
/// @param tokens         ids after the prompt, an end token included
/// @param logProbability sum of their log probabilities
/// @param score          what hypotheses are ranked by: the sum over a power of the length
/// @param ended          whether an end token ended it
public record Hypothesis(List<Integer> tokens, double logProbability, double score, boolean ended) {
    public Hypothesis {
        tokens = List.copyOf(tokens);
    }

    /// A hypothesis of these ids.
    public Hypothesis(int[] tokens, double logProbability, double score, boolean ended) {
        this(IntStream.of(tokens).boxed().toList(), logProbability, score, ended);
    }

    /// The ids. The caller owns the array.
    public int[] ids() {
        return tokens.stream().mapToInt(Integer::intValue).toArray();
    }
}
