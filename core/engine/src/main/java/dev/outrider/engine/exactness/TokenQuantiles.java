package dev.outrider.engine.exactness;

import dev.outrider.common.sampling.DistributionBuffer;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.processing.ProcessorChain.ProcessedLogits;
import dev.outrider.engine.scoring.TextRows;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.TargetModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// Every token of generations of any length against the target's distribution at its own place.
///
/// A token x becomes its randomised quantile: the mass of all tokens more probable than x, plus a uniform share
/// of x's own. If tokens follow the distribution, quantiles are independent uniforms, for all distributions and in
/// every order of the tokens that depends on the past alone; so all places of all prompts make
/// one test. There are three tests: all tokens by their probability, in equal bins; the first tokens of rounds by what
/// the draft favours; and the first tokens of consecutive rounds in pairs, which shared randomness spoils.
///
/// Ending a generation at an end token or at a length does no harm: it depends on what came before.
/// Confined to one thread.
///
/// @see "Brockwell 2007: Universal residuals; Rosenblatt 1952 for the transformation"
public final class TokenQuantiles {
    private static final int BINS = 32;
    private static final int PAIR_BINS = 4;

    private final TargetModel target;
    private final ProcessedLogits processed;
    private final RandomGenerator random;
    private final long[] byProbability = new long[BINS];
    private final long[] byDraft = new long[BINS];
    private final long[] pairs = new long[PAIR_BINS * PAIR_BINS];
    private long tokens;
    private long impossible;

    /// @param processors applied to the target's logits first
    /// @param random shares of the tokens' own mass
    public TokenQuantiles(TargetModel target, ProcessorChain processors, RandomGenerator random) {
        this.target = target;
        this.processed = processors.on(target.description().vocabularySize());
        this.random = random;
    }

    /// Adds one generation; the target scores it in a few passes.
    ///
    /// @param request what was continued, and the policy tokens were drawn with; not a greedy one
    /// @param emitted tokens it wrote; not empty
    /// @param trace   its rounds
    public void add(DecodeRequest request, int[] emitted, Trace trace) {
        var orders = new HashMap<Integer, TokenOrder>();
        var firsts = new ArrayList<Integer>();
        int first = 0;
        for (var round : trace.rounds()) {
            firsts.add(first);
            orders.put(first, TokenOrder.byDraft(round));
            first += round.emitted();
        }
        double[] quantiles = quantiles(request, emitted, orders);
        tokens += quantiles.length;
        for (int round = 0; round + 1 < firsts.size(); round += 2) {
            int row = bin(quantiles[firsts.get(round)], PAIR_BINS);
            pairs[PAIR_BINS * row + bin(quantiles[firsts.get(round + 1)], PAIR_BINS)]++;
        }
    }

    /// Tokens so far.
    public long tokens() {
        return tokens;
    }

    /// Tokens that have probability 0 at their place. Rounding can put a token at the edge of a truncation on
    /// either side of it; anything else is a fault. They count as the least probable ones.
    public long impossible() {
        return impossible;
    }

    /// All tokens, by their probability.
    public GoodnessOfFit byProbability(double alpha) {
        return uniform(byProbability, alpha);
    }

    /// First tokens of rounds, by what the draft favours.
    public GoodnessOfFit byDraft(double alpha) {
        return uniform(byDraft, alpha);
    }

    /// First tokens of the rounds 0 and 1, 2 and 3, and so on.
    public GoodnessOfFit roundPairs(double alpha) {
        return uniform(pairs, alpha);
    }

    /// Counts every token into its bins, and returns the quantiles by probability.
    private double[] quantiles(
            DecodeRequest request, int[] emitted, Map<Integer, TokenOrder> orders) {
        int[] prompt = request.prompt();
        int[] all = IntStream.concat(Arrays.stream(prompt), Arrays.stream(emitted)).toArray();
        var quantiles = new double[emitted.length];
        double[] state = {processed.operators().firstState()};
        var buffer = new DistributionBuffer(target.description().vocabularySize());
        new TextRows(target, request.source())
                .read(
                        all,
                        prompt.length,
                        (place, row) -> {
                            var history = new TokenHistory(all, place, new int[0], prompt.length);
                            processed.fill(
                                    request.policy(), row.apply(0), history, state[0], buffer);
                            double[] distribution = buffer.distribution();
                            int token = all[place];
                            int index = place - prompt.length;
                            state[0] =
                                    processed.operators().nextState(state[0], distribution[token]);
                            impossible += distribution[token] > 0 ? 0 : 1;
                            double share = random.nextDouble();
                            double quantile =
                                    quantile(distribution, token, share, TokenOrder.BY_PROBABILITY);
                            quantiles[index] = quantile;
                            byProbability[bin(quantile, BINS)]++;
                            var order = orders.get(index);
                            if (order != null) {
                                byDraft[bin(quantile(distribution, token, share, order), BINS)]++;
                            }
                        });
        return quantiles;
    }

    private static double quantile(
            double[] distribution, int token, double share, TokenOrder order) {
        double own = distribution[token];
        if (own <= 0) {
            return Math.nextDown(1.0);
        }
        double key = order.key(token, own);
        double before = 0;
        for (int other = 0; other < distribution.length; other++) {
            if (distribution[other] > 0) {
                double otherKey = order.key(other, distribution[other]);
                if (otherKey < key || (otherKey == key && other < token)) {
                    before += distribution[other];
                }
            }
        }
        return Math.min(before + share * own, Math.nextDown(1.0));
    }

    private static int bin(double quantile, int count) {
        return (int) (quantile * count);
    }

    /// Equal cells, neighbours put together until enough is expected in each.
    private static GoodnessOfFit uniform(long[] counts, double alpha) {
        long samples = Arrays.stream(counts).sum();
        var cells = counts;
        while (cells.length > 2 && samples < GoodnessOfFit.MIN_EXPECTED * cells.length) {
            var fine = cells;
            cells =
                    IntStream.range(0, fine.length / 2)
                            .mapToLong(cell -> fine[2 * cell] + fine[2 * cell + 1])
                            .toArray();
        }
        var distribution = new double[cells.length];
        Arrays.fill(distribution, 1.0 / cells.length);
        return GoodnessOfFit.test(distribution, cells, alpha);
    }

    /// An order of the tokens at one place, which depends on the earlier tokens alone. Any such order makes
    /// quantiles uniform; a good order groups the tokens that a fault favours.
    @FunctionalInterface
    interface TokenOrder {
        /// Position of a token; smaller comes first, equal ones in order of their ids.
        ///
        /// @param probability the target's, at this place
        double key(int token, double probability);

        /// The most probable tokens first: faults that sharpen or flatten the distribution.
        TokenOrder BY_PROBABILITY = (token, probability) -> -probability;

        /// The tokens that the target finds more probable than the drafter last: faults in how drafts are judged.
        /// The order is that of the ratio p / q; a drafter that states no distribution q gives none. The guesses themselves may
        /// not be used: a rule can couple them with what it emits and still be exact.
        ///
        /// This order is valid for the first token of a round only. The place of a later token in a round depends on randomness that
        /// rules which judge whole paths (block verification, traversal) have drawn already: given that randomness, the token does not
        /// follow the target's distribution, and does not have to.
        static TokenOrder byDraft(RoundCompleted round) {
            return switch (round.draft().selection()) {
                case Selection.PointMass() -> BY_PROBABILITY;
                case Selection.Independent(var distributions) -> byRatio(distributions);
                case Selection.WithoutReplacement(var distributions) -> byRatio(distributions);
            };
        }

        private static TokenOrder byRatio(DraftDistributions distributions) {
            if (!distributions.has(0)) {
                return BY_PROBABILITY;
            }
            double[] q = distributions.row(0);
            return (token, probability) ->
                    q[token] > 0 ? probability / q[token] : Double.POSITIVE_INFINITY;
        }
    }
}
