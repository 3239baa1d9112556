package dev.outrider.drafter.lookahead;

import dev.outrider.common.sampling.Distributions;
import dev.outrider.drafting.CallOrder;
import dev.outrider.drafting.StatelessDrafter;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/// One sequence of Jacobi decoding: lookahead with a window of one level that is itself the draft.
///
/// All positions of the chain are iterated at once: the guess for a position becomes the target's
/// argmax after the guesses before it. A guess is final if all before it are, so a chain of n
/// tokens is right after at most n passes. The chain then moves past the emitted tokens; positions
/// without a guess are filled from the prompt.
///
/// If the target samples, the noise of every position can be fixed: then the target's token is the
/// argmax of noisy logits, and the iteration converges as in greedy decoding.
///
/// @see "Santilli et al. 2023, section 3; docs/reference/algorithms.md A6.1"
final class JacobiSession implements DraftSession {
    private final JacobiConfig config;
    private final int[] source;
    private final Set<Integer> endOfSequence;

    /// The target's sampling where guesses are drawn with its noise. A repetition penalty is left out,
    /// because a guess may be any token.
    private final Optional<SamplingPolicy> coupled;

    private final CallOrder order = new CallOrder();
    private Optional<PromptTokens> filler = Optional.empty();
    private int root;
    private int[] guesses = {};
    private int length;

    /// The round's randomness; the next round's guesses are drawn from it when this round is
    /// observed.
    private Optional<Randomness> randomness = Optional.empty();

    JacobiSession(JacobiConfig config, Set<Integer> endOfSequence, DraftRequest request) {
        this.config = config;
        this.source = request.source().stream().mapToInt(Integer::intValue).toArray();
        this.endOfSequence = endOfSequence;
        this.coupled =
                Optional.of(request.policy())
                        .filter(policy -> config.coupled() && !policy.greedy())
                        .map(JacobiSession::withoutPenalty);
    }

    private static SamplingPolicy withoutPenalty(SamplingPolicy policy) {
        return new SamplingPolicy(
                policy.temperature(), policy.topK(), policy.topP(), policy.minP(), 1);
    }

    /// Returns the drafter for a target.
    ///
    /// @param endOfSequence tokens that end a sequence; the chain does not contain them
    static Drafter drafter(JacobiConfig config, Set<Integer> endOfSequence) {
        return new StatelessDrafter(
                config.traits(), request -> new JacobiSession(config, endOfSequence, request));
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        order.begin();
        var tokens = new PromptTokens(source, prompt, endOfSequence, config.seed());
        filler = Optional.of(tokens);
        guesses = tokens.next(config.length());
        root = prompt[prompt.length - 1];
        length = prompt.length;
    }

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        order.propose();
        int drafted = Math.min(guesses.length, budget.maxDepth());
        var chain = TokenTree.chain(root, Arrays.copyOf(guesses, drafted));
        this.randomness = Optional.of(randomness);
        return new Draft(chain, new Selection.PointMass());
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        order.observe();
        var drawn = randomness.orElseThrow();
        var tokens = filler.orElseThrow();
        int accepted = verdict.acceptedLength();
        var next = new int[guesses.length];
        for (int place = 1; place <= next.length; place++) {
            int before =
                    accepted
                            + place; // the node before this place, which may not have been proposed
            if (before <= draft.tree().draftedNodes()) {
                next[place - 1] = guess(scores, before, drawn);
            } else {
                next[place - 1] = before < guesses.length ? guesses[before] : tokens.next();
            }
        }
        guesses = tokens.withoutEnds(next);
        root = verdict.nextToken();
        length += accepted + 1;
    }

    @Override
    public void close() {}

    /// Returns the target's token after a node of the last draft. If the target samples with fixed noise, it is the token that the rule
    /// `gumbel-coupled` emits if the tokens before it are right.
    ///
    /// @see "Daliri, Musco, Suresh 2024: Coupling without communication and drafter-invariant
    ///     speculative decoding"
    private int guess(TargetScores scores, int node, Randomness randomness) {
        if (coupled.isEmpty()) {
            return scores.argmax(node);
        }
        double[] distribution =
                Distributions.of(
                        coupled.get(),
                        scores.logits(node),
                        scores.vocabularySize(),
                        TokenHistory.empty());
        return randomness.gumbelTopK(length + node, distribution, 1)[0];
    }
}
