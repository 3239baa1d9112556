package dev.outrider.training;

/// The divergence of a student's distribution q from a teacher's p, token by token.
///
/// @see "Zhou et al. 2024 (DistillSpec), section 4.1 and appendix A; Agarwal et al. 2024 (GKD), section 2"
public enum Divergence {
    /// KL(p, q), up to the teacher's entropy, which no parameter changes: the cross-entropy of q with p.
    FORWARD_KL,
    /// KL(q, p).
    REVERSE_KL,
    /// The mean of KL(p, m) and KL(q, m), with m the mean of p and q.
    JENSEN_SHANNON,
    /// Half of the sum of |p - q|: 1 minus the probability that a token drawn from q is accepted at temperature 1.
    TOTAL_VARIATION
}
