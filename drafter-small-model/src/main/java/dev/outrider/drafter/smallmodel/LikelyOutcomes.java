package dev.outrider.drafter.smallmodel;

import dev.outrider.common.sampling.DistributionBuffer;
import dev.outrider.common.sampling.Distributions;
import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Randomness.Role;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.DoubleStream;

/// The most probable outcomes of a round before its verdict, estimated from what the drafter knows. The chance of an outcome is that of
/// its path times that of the token after it. A child is accepted as often as guesses of its probability were ([AcceptedGuesses]); what is
/// left of a node's chance its other tokens share as they are probable. The token that the rule would draw, with its own random number, has
/// the chance of a guess.
///
/// Only time depends on it. Confined to one thread.
///
/// @see "Kumar et al. 2026 (Saguaro): which outcomes to be ready for; here they are taken best first in place of a fan-out for each depth"
final class LikelyOutcomes {
    private static final Comparator<Outcome> BY_CHANCE =
            Comparator.comparingDouble(Outcome::chance);

    private final NextTokens next;
    private final CommittedTokens tokens;
    private final TokenTree tree;
    private final boolean ranked;
    private final AcceptedGuesses accepted;
    private final Randomness ending;
    private final int most;
    private final double[] reached;
    private final double[] probability;
    private final PriorityQueue<Outcome> best = new PriorityQueue<>(BY_CHANCE);

    /// @param tokens   committed tokens; not changed
    /// @param accepted what the drafter's probabilities are worth
    /// @param ending   the round's randomness, in a state of its own
    /// @param most     outcomes that are wanted
    LikelyOutcomes(
            NextTokens next,
            CommittedTokens tokens,
            Draft draft,
            AcceptedGuesses accepted,
            Randomness ending,
            int most) {
        this.next = next;
        this.tokens = tokens;
        this.tree = draft.tree();
        this.ranked = draft.selection() instanceof Selection.PointMass;
        this.accepted = accepted;
        this.ending = ending;
        this.most = most;
        this.reached = new double[tree.size()];
        this.probability = new double[tree.size()];
        reached[0] = 1;
    }

    /// Takes what the network says after a node. Parents come before children.
    ///
    /// @param logits of the node's successors
    void after(int node, float[] logits) {
        int[] children = tree.candidates(node);
        double[] left = next.distribution(logits, history(node));
        double taken = 0;
        for (int child : children) {
            probability[child] = left[tree.token(child)];
            reached[child] = accepted.chance(probability[child]);
            taken += reached[child];
        }
        for (int child : children) {
            reached[child] *= reached[node] / Math.max(1, taken);
            left[tree.token(child)] = 0;
        }
        double chance = reached[node] * Math.max(0, 1 - taken);
        double sum = Arrays.stream(left).sum();
        if (!(sum > 0) || !(chance > 0)) {
            return;
        }
        boolean leaf = children.length == 0;
        if (leaf || ranked && !next.policy().greedy()) {
            int guess = guess(node, leaf, left);
            double share = Math.max(accepted.chance(left[guess]), left[guess] / sum);
            offer(new Outcome(node, guess, chance * share));
            sum -= left[guess];
            left[guess] = 0;
            chance -= chance * share;
        }
        for (int token = 0; token < left.length; token++) {
            if (left[token] > 0) {
                offer(node, token, chance * (left[token] / sum));
            }
        }
    }

    private int guess(int node, boolean leaf, double[] distribution) {
        var role = leaf ? Role.BONUS : Role.RESIDUAL;
        int position = tokens.length() + tree.depth(node);
        return next.guess(ending, role, node, position, distribution);
    }

    /// Tells what the drafter's probabilities were worth.
    void judge(Verdict verdict) {
        int parent = 0;
        for (int depth = 0; depth <= verdict.acceptedLength(); depth++) {
            int taken = depth < verdict.acceptedLength() ? verdict.acceptedNodes().get(depth) : -1;
            for (int child : tree.candidates(parent)) {
                if (probability[child] > 0) {
                    accepted.observe(probability[child], child == taken);
                }
            }
            parent = taken;
        }
    }

    private void offer(int node, int token, double chance) {
        if (best.size() < most || chance > best.element().chance()) {
            offer(new Outcome(node, token, chance));
        }
    }

    private void offer(Outcome outcome) {
        best.add(outcome);
        if (best.size() > most) {
            best.remove();
        }
    }

    /// The nodes that are worth to be run, of those after which nothing is known yet: they are reached with a better chance than the last
    /// of the outcomes has that would be left beside them.
    ///
    /// @param unknown nodes whose parents are known
    /// @return some of them, ascending
    List<Integer> worthRunning(List<Integer> unknown) {
        var chances =
                DoubleStream.concat(
                                best.stream().mapToDouble(Outcome::chance),
                                unknown.stream().mapToDouble(node -> reached[node]))
                        .sorted()
                        .toArray();
        double least = chances.length > most ? chances[chances.length - most] : 0;
        return unknown.stream()
                .filter(node -> reached[node] > 0 && reached[node] >= least)
                .sorted()
                .limit(most)
                .toList();
    }

    /// The outcomes, most probable first.
    List<Outcome> best() {
        return best.stream().sorted(BY_CHANCE.reversed()).toList();
    }

    private TokenHistory history(int node) {
        int[] path = Arrays.stream(tree.path(node)).skip(1).map(tree::token).toArray();
        return tokens.history().followedBy(path);
    }

    /// A possible end of a round: the path to a node is accepted, no child of it is, and a token follows.
    ///
    /// @param node   of the draft, the last accepted one; 0 if none is
    /// @param token  that follows
    /// @param chance how probable that is thought to be
    record Outcome(int node, int token, double chance) {}

    /// The share of accepted guesses for each range of the drafter's probability, learned from the rounds of one
    /// sequence. Before the first round the drafter's probability itself counts.
    ///
    /// Confined to one thread.
    static final class AcceptedGuesses {
        private static final int BINS = 10;

        /// Number of guesses that the prior counts as.
        private static final double EARLIER = 4;

        private final int[] judged = new int[BINS];
        private final int[] accepted = new int[BINS];

        /// A guess was judged.
        void observe(double probability, boolean wasAccepted) {
            int bin = bin(probability);
            judged[bin]++;
            accepted[bin] += wasAccepted ? 1 : 0;
        }

        /// The chance that a guess is accepted.
        ///
        /// @param probability the drafter's
        double chance(double probability) {
            int bin = bin(probability);
            return (accepted[bin] + EARLIER * probability) / (judged[bin] + EARLIER);
        }

        private static int bin(double probability) {
            return Math.min(BINS - 1, (int) (probability * BINS));
        }
    }

    /// The drafter's estimate of the target's next token.
    ///
    /// @param policy     the target's
    /// @param vocabulary how many of the target's tokens the network knows; ids are the same
    /// @param coupled    whether tokens are drawn with the noise of their position
    record NextTokens(SamplingPolicy policy, DraftVocabulary vocabulary, boolean coupled) {
        /// The distribution of the target's next token if the network's logits were the target's. Without temperature that would be one token;
        /// how probable it is that another one comes is then read from temperature 1.
        ///
        /// @param logits  shape `[V']` with `V'` at least the vocabulary's width
        /// @param history tokens before
        /// @return shape `[V]`; the caller owns it
        double[] distribution(float[] logits, TokenHistory history) {
            var sampling =
                    policy.greedy()
                            ? new SamplingPolicy(1, 0, 1, 0, policy.repetitionPenalty())
                            : policy;
            var buffer = new DistributionBuffer(vocabulary.width());
            buffer.fill(sampling, MemorySegment.ofArray(logits), history);
            return Arrays.copyOf(buffer.distribution(), vocabulary.targetSize());
        }

        /// The token that the rule would draw from a distribution, with its own random number. Of two distributions that are close it draws
        /// mostly the same one, where the most probable alone would come as often as it is probable. Without temperature that is the most
        /// probable token.
        ///
        /// Nothing depends on it but time, so it may look at the rule's randomness.
        ///
        /// @param role         what the rule draws for
        /// @param node         of the draft, after which
        /// @param position     of the token in the text
        /// @param distribution shape `[V]`, not negative, with a positive sum
        int guess(Randomness ending, Role role, int node, int position, double[] distribution) {
            if (policy.greedy()) {
                return Distributions.argmax(distribution);
            }
            return coupled
                    ? ending.gumbelTopK(position, distribution, 1)[0]
                    : ending.draw(role, node, distribution);
        }
    }
}
