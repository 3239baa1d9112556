package dev.outrider.drafter.lookahead;

import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.HiddenStates;
import dev.outrider.spi.Selection;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.Verdict;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/// One sequence of Jacobi decoding: lookahead with a window of one level that is itself the draft.
///
/// All places of the chain are iterated at once: the guess for a place becomes the target's argmax after the guesses
/// before it. A guess is final once all before it are, so a chain of n tokens is right after at most n passes. The
/// chain then moves on past the tokens that were emitted; places nothing was said about are filled from the prompt.
///
/// @see "Santilli et al. 2023, section 3; algorithms A6.1"
final class JacobiSession implements DraftSession {
    private final JacobiConfig config;
    private final Set<Integer> endOfSequence;
    private Optional<PromptTokens> filler = Optional.empty();
    private Optional<TokenTree> undecided = Optional.empty();
    private int root;
    private int[] guesses = {};

    JacobiSession(JacobiConfig config, Set<Integer> endOfSequence) {
        this.config = config;
        this.endOfSequence = endOfSequence;
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        if (filler.isPresent()) {
            throw new IllegalStateException("the session has begun already");
        }
        var tokens = new PromptTokens(prompt, endOfSequence, config.seed());
        filler = Optional.of(tokens);
        guesses = tokens.next(config.length());
        root = prompt[prompt.length - 1];
    }

    @Override
    public Draft propose(DraftBudget budget, Coins coins) {
        if (filler.isEmpty()) {
            throw new IllegalStateException("propose comes after begin");
        }
        int length = Math.min(guesses.length, budget.maxDepth());
        var chain = TokenTree.chain(root, Arrays.copyOf(guesses, length));
        undecided = Optional.of(chain);
        return new Draft(chain, new Selection.PointMass());
    }

    @Override
    public void observe(Verdict verdict, TargetScores scores) {
        var chain =
                undecided.orElseThrow(
                        () -> new IllegalStateException("observe comes after propose"));
        undecided = Optional.empty();
        var tokens = filler.orElseThrow();
        int accepted = verdict.acceptedLength();
        var next = new int[guesses.length];
        for (int place = 1; place <= next.length; place++) {
            int before =
                    accepted
                            + place; // the node before this place, which may not have been proposed
            if (before <= chain.draftedNodes()) {
                next[place - 1] = scores.argmax(before);
            } else {
                next[place - 1] = before < guesses.length ? guesses[before] : tokens.next();
            }
        }
        guesses = tokens.withoutEnds(next);
        root = verdict.nextToken();
    }

    @Override
    public void close() {}
}
