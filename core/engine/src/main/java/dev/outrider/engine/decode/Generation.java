package dev.outrider.engine.decode;

import dev.outrider.spi.run.DecodeEvent.FinishReason;
import java.util.List;
import java.util.stream.IntStream;

/// A generated text.
///
/// @param tokens     emitted ids, an end-of-sequence token included; the prompt is not
/// @param text       their text, cut before a stop string
/// @param reason     why the sequence ended
/// @param rounds     number of target passes after the prompt
/// @param hypotheses of a beam search, the best first; the ids and text are those of the best. Empty if there was no search
public record Generation(
        int[] tokens, String text, FinishReason reason, int rounds, List<Hypothesis> hypotheses) {
    public Generation {
        hypotheses = List.copyOf(hypotheses);
    }

    /// A hypothesis, a text that a beam search found.
    ///
    /// @param tokens         ids after the prompt, an end token included
    /// @param logProbability sum of their log probabilities
    /// @param score          the score that ranks hypotheses: the sum over a power of the length
    /// @param ended          whether an end token ended it
    public record Hypothesis(
            List<Integer> tokens, double logProbability, double score, boolean ended) {
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
}
