package dev.outrider.drafter.ensemble;

import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.TokensOnlySession;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TokenTree;
import java.util.Arrays;

/// Drafts chains with as many right guesses as a script says, and spends the machine's time for each of them.
///
/// @param length of its chains
record VirtualDrafter(VirtualMachine machine, int length, Script script) implements Drafter {
    /// Determines how many guesses of an unlimited draft are right.
    interface Script {
        /// @param machine position of the sequence, and randomness
        int right(VirtualMachine machine);
    }

    @Override
    public DrafterTraits traits() {
        return DrafterTraits.chain(length);
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return new Session();
    }

    private final class Session extends TokensOnlySession {
        @Override
        protected Draft guess(CommittedTokens tokens, DraftBudget budget, Randomness randomness) {
            int guesses = Math.min(length, budget.maxNodes());
            if (guesses == 0) {
                return Draft.empty(VirtualTarget.RIGHT);
            }
            int[] drafted = new int[guesses];
            Arrays.fill(drafted, VirtualTarget.WRONG);
            Arrays.fill(drafted, 0, Math.min(guesses, script.right(machine)), VirtualTarget.RIGHT);
            machine.guess(guesses);
            return new Draft(
                    TokenTree.chain(VirtualTarget.RIGHT, drafted), new Selection.PointMass());
        }
    }

    @Override
    public void close() {}
}
