package dev.outrider.drafting.feature;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;

/// The target's hidden states of committed positions, as a session gets them: of the prompt all but the last token's, and after a round
/// the root's and every accepted node's. Each comes with the token that was committed after it.
public final class CommittedStates {
    private CommittedStates() {}

    /// Takes states in the order of their positions.
    @FunctionalInterface
    public interface Taker {
        /// Takes one.
        ///
        /// @param states lent for the call
        /// @param index  which of them
        /// @param next   the token after its position
        void take(HiddenStates states, int index, int next);
    }

    /// Hands over the prompt's.
    ///
    /// @throws IllegalArgumentException if they are not those of all tokens but the last
    public static void ofPrompt(int[] prompt, HiddenStates states, Taker taker) {
        if (states.size() != prompt.length - 1) {
            throw new IllegalArgumentException(
                    "%d states for a prompt of %d tokens; expected those of all but the last"
                            .formatted(states.size(), prompt.length));
        }
        for (int position = 0; position < states.size(); position++) {
            taker.take(states, position, prompt[position + 1]);
        }
    }

    /// Hands over a round's.
    ///
    /// @return the tokens that the round emits
    public static int[] ofRound(Draft draft, Verdict verdict, TargetScores scores, Taker taker) {
        int[] emitted = verdict.emitted(draft.tree());
        int node = 0;
        for (int index = 0; index < emitted.length; index++) {
            taker.take(scores, node, emitted[index]);
            if (index < verdict.acceptedLength()) {
                node = verdict.acceptedNodes().get(index);
            }
        }
        return emitted;
    }
}
