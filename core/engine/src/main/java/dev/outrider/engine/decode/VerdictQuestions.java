package dev.outrider.engine.decode;

import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.acceptance.OneHotRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.random.RepeatableCoins;
import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.VerdictQuestion;
import java.util.Optional;

/// Puts rounds to targets that can decide in their own pass. There is a question for the rules that [VerdictQuestion.Rule]
/// names, under policies that look at no history, with coins that can be tossed twice.
///
/// @param rule   the rule of the sequence
/// @param policy its policy
record VerdictQuestions(AcceptanceRule rule, SamplingPolicy policy) {
    /// The question about a round's draft.
    ///
    /// @param coins the round's, from which the draft was drawn
    Optional<VerdictQuestion> about(Draft draft, Coins coins) {
        if (policy.usesHistory() || !(coins instanceof RepeatableCoins repeatable)) {
            return Optional.empty();
        }
        var known =
                switch (rule) {
                    case GreedyRule _ -> Optional.of(VerdictQuestion.Rule.ARGMAX_WALK);
                    case OneHotRule _ -> Optional.of(VerdictQuestion.Rule.SAMPLED_WALK);
                    case TokenRejectionRule _ -> Optional.of(VerdictQuestion.Rule.CHAIN_REJECTION);
                    default -> Optional.<VerdictQuestion.Rule>empty();
                };
        return known.map(asked -> new VerdictQuestion(asked, draft, policy, repeatable.again()));
    }
}
