package dev.outrider.serving;

import java.util.List;

/// What the target says of a token, before any processor and at temperature 1.
///
/// @param token          id
/// @param logProbability natural logarithm
/// @param candidates     the most probable tokens, the best first; as many as were asked for
public record TokenScore(int token, double logProbability, List<TokenScore.Candidate> candidates) {
    /// Copies the candidates.
    public TokenScore {
        candidates = List.copyOf(candidates);
    }

    /// A token that could have been there.
    ///
    /// @param token          id
    /// @param logProbability natural logarithm
    public record Candidate(int token, double logProbability) {}
}
