package dev.outrider.audit;

import dev.outrider.audit.Fault.Side;
import dev.outrider.common.sampling.DistributionBuffer;
import dev.outrider.common.sampling.OperatorChain;
import dev.outrider.common.sampling.OperatorRow;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Randomness.Role;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// Speculative decoding of chains with token-level rejection (Leviathan et al. 2023, algorithm 1), written without the engine so that any step
/// can be done wrong. Without faults it is exact.
///
/// @param target what it claims to serve
/// @param draft  draws guesses, with the target's vocabulary
/// @param length guesses of a round K
/// @param faults planted ones
record PlantedDecoder(TargetModel target, TargetModel draft, int length, Set<Fault> faults) {
    /// Writes tokens after a prompt.
    ///
    /// @param most        tokens to write
    /// @param speculative whether to draft
    /// @param ends        tokens after which nothing is written
    Written write(
            int[] prompt,
            int most,
            Wanted wanted,
            boolean speculative,
            Set<Integer> ends,
            RandomnessSource source) {
        var request = SessionRequest.ofCapacity(prompt.length + most + length + 1);
        try (var verified = target.open(request);
                var drafted = draft.open(request)) {
            return new Sequence(verified, drafted, prompt, most, wanted)
                    .write(speculative ? length : 0, ends, source);
        }
    }

    /// A written text.
    ///
    /// @param tokens   the text
    /// @param drafted  guesses
    /// @param accepted guesses that were accepted
    record Written(int[] tokens, int drafted, int accepted) {}

    /// One text.
    private final class Sequence {
        private final TargetSession verified;
        private final TargetSession drafted;
        private final int promptLength;
        private final int most;
        private final Wanted wanted;
        private final int vocabulary = target.description().vocabularySize();
        private final Map<Wanted, OperatorRow> rows = new HashMap<>();
        private final DistributionBuffer buffer = new DistributionBuffer(vocabulary);
        private final int[] committed;
        private int written;
        private int proposed;
        private int accepted;

        Sequence(
                TargetSession verified,
                TargetSession drafted,
                int[] prompt,
                int most,
                Wanted wanted) {
            this.verified = verified;
            this.drafted = drafted;
            this.promptLength = prompt.length;
            this.most = most;
            this.wanted = wanted;
            this.committed = Arrays.copyOf(prompt, prompt.length + most);
            int[] beginning = Arrays.copyOf(prompt, prompt.length - 1);
            verified.prefill(beginning).close();
            drafted.prefill(beginning).close();
        }

        Written write(int guesses, Set<Integer> ends, RandomnessSource source) {
            for (int round = 0; written < most; round++) {
                int first = written;
                round(Math.min(guesses, most - written - 1), source.round(round), guesses > 0);
                for (int index = first; index < written; index++) {
                    if (ends.contains(committed[promptLength + index])) {
                        written = index + 1;
                        return result();
                    }
                }
            }
            return result();
        }

        private Written result() {
            return new Written(
                    Arrays.copyOfRange(committed, promptLength, promptLength + written),
                    proposed,
                    accepted);
        }

        private void round(int guesses, Randomness randomness, boolean speculative) {
            int root = committed[promptLength + written - 1];
            var chain = new int[guesses];
            var q = new double[guesses + 1][];
            for (int depth = 0; depth < guesses; depth++) {
                int[] before = Arrays.copyOf(chain, depth);
                var row = draftRow(root, before);
                q[depth] = distribution(sampling(Side.KNOWN), row, before);
                double[] drawn = distribution(sampling(Side.DRAWN), row, before);
                int guess = randomness.draw(Role.DRAFT, depth, drawn);
                chain[depth] = taken(guess);
            }
            if (has(Fault.BONUS_FROM_DRAFT) && guesses > 0) {
                q[guesses] = distribution(sampling(Side.DRAWN), draftRow(root, chain), chain);
            }
            double[][] p = verified(root, chain, speculative);
            int kept = kept(chain, p, q, randomness);
            int next = next(chain, kept, p[kept], q[kept], randomness);
            commit(root, chain, kept, next);
        }

        /// Returns the id under which the server takes a token of the drafter.
        private int taken(int token) {
            return has(Fault.DRAFT_TOKENIZER) ? (token + 1) % vocabulary : token;
        }

        private double[][] verified(int root, int[] chain, boolean speculative) {
            var how = speculative ? sampling(Side.TARGET) : wanted;
            try (var scores = verified.score(TokenTree.chain(root, chain))) {
                return IntStream.rangeClosed(0, chain.length)
                        .mapToObj(node ->
                                distribution(
                                        how,
                                        Fault.logits(faults, row(scores, node)),
                                        Arrays.copyOf(chain, node)))
                        .toArray(double[][]::new);
            }
        }

        /// Returns how many guesses are accepted.
        private int kept(int[] chain, double[][] p, double[][] q, Randomness randomness) {
            double below = 1; // one uniform of the round is known to be less
            for (int depth = 0; depth < chain.length; depth++) {
                int guess = chain[depth];
                double ratio = q[depth][guess] > 0 ? p[depth][guess] / q[depth][guess] : 1;
                double chance = p[depth][guess] > 0 ? Math.min(1, ratio) : 0;
                boolean taken =
                        has(Fault.NOISE_REUSED)
                                ? randomness.accept(depth + 1, Math.min(chance, below), below)
                                : randomness.accept(depth + 1, chance, 1);
                below = Math.min(below, chance);
                if (!has(Fault.ALWAYS_ACCEPT) && !taken) {
                    return depth;
                }
            }
            return chain.length;
        }

        private int next(int[] chain, int kept, double[] p, double[] q, Randomness randomness) {
            if (kept == chain.length) {
                boolean drafter = has(Fault.BONUS_FROM_DRAFT) && chain.length > 0;
                int bonus = randomness.draw(Role.BONUS, kept, drafter ? q : p);
                return drafter ? taken(bonus) : bonus;
            }
            double[] left = p.clone();
            double mass = 0;
            for (int token = 0; token < vocabulary && !has(Fault.CORRECTION_FROM_P); token++) {
                left[token] = Math.max(0, p[token] - q[token]);
                mass += left[token];
            }
            return randomness.draw(Role.RESIDUAL, kept, mass > 0 ? left : p);
        }

        private void commit(int root, int[] chain, int kept, int next) {
            var verdict =
                    new Verdict(
                            IntStream.rangeClosed(1, kept).boxed().toList(),
                            next,
                            kept == chain.length ? Origin.BONUS : Origin.CORRECTION);
            verified.commit(verdict);
            draftRow(root, Arrays.copyOf(chain, kept));
            drafted.commit(verdict);
            System.arraycopy(chain, 0, committed, promptLength + written, kept);
            written += kept;
            committed[promptLength + written++] = next;
            proposed += chain.length;
            accepted += kept;
        }

        private Wanted sampling(Side side) {
            return Fault.sampling(faults, side, wanted);
        }

        private float[] draftRow(int root, int[] before) {
            try (var scores = drafted.score(TokenTree.chain(root, before))) {
                return row(scores, before.length);
            }
        }

        private double[] distribution(Wanted how, float[] row, int[] path) {
            var history =
                    new TokenHistory(
                            committed,
                            promptLength + written,
                            has(Fault.PENALTY_SKIPPED) ? new int[0] : path,
                            promptLength);
            rows.computeIfAbsent(
                            how,
                            each ->
                                    new OperatorRow(
                                            OperatorChain.of(
                                                    each.operators(), vocabulary, Set.of()),
                                            vocabulary))
                    .fill(how.policy(), MemorySegment.ofArray(row), history, 0, buffer);
            return buffer.distribution().clone();
        }
    }

    private boolean has(Fault fault) {
        return faults.contains(fault);
    }

    private static float[] row(TargetScores scores, int node) {
        return scores.logits(node).toArray(ValueLayout.JAVA_FLOAT);
    }
}
