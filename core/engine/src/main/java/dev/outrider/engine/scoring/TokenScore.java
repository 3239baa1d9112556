package dev.outrider.engine.scoring;

import java.util.List;

/// Log probability of a token.
///
/// @param token          id
/// @param logProbability natural logarithm
/// @param candidates     the most probable tokens, the best first; as many as were asked for
public record TokenScore(int token, double logProbability, List<TokenScore.Candidate> candidates) {
    /// Copies the candidates.
    public TokenScore {
        candidates = List.copyOf(candidates);
    }

    /// A token that could follow at this place.
    ///
    /// @param token          id
    /// @param logProbability natural logarithm
    public record Candidate(int token, double logProbability) {}
}
