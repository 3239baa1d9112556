package dev.outrider.spi;

/// How the next tree will be decided, told to a target before it scores the tree. A back end that can decides in the same
/// pass, so that a few ids leave its device and no logits.
///
/// The answer is the verdict of the rule named here, with the uniforms that rule would take: seeds mean the same
/// wherever a round is decided.
///
/// @param rule   how to decide
/// @param draft  what the next pass scores
/// @param policy how the target's law is made of logits
/// @param coins  the round's, in an instance of their own: what is taken here is not missing in the rule's
public record VerdictQuestion(Rule rule, Draft draft, SamplingPolicy policy, Coins coins) {
    /// The rules a back end may know.
    public enum Rule {
        /// Follow the argmax from node to node.
        ARGMAX_WALK,

        /// Draw from the target's law at each node, from [StreamRole#RESIDUAL] where candidates are tested and from
        /// [StreamRole#BONUS] where there are none, and follow the child that carries the token.
        SAMPLED_WALK,

        /// Accept each token of a chain with probability `min(1, p / q)`, the uniform from [StreamRole#ACCEPT] of its
        /// node; draw from what is left of p at the first rejection, [StreamRole#RESIDUAL], or from p at the
        /// end, [StreamRole#BONUS].
        CHAIN_REJECTION
    }
}
