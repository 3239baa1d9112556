package dev.outrider.treeverify.verdict;

import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.acceptance.OneHotRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.random.Categorical;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.StreamCoins;
import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftLaws;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.Selection;
import dev.outrider.spi.TargetLaws;
import dev.outrider.spi.TokenHistory;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;

/// A random round: logits, a draft whose tokens the target often likes, and a policy.
///
/// @param logits shape `[rows, V]`
/// @param round  number of the round, which keys the coins
record VerdictCase(
        DeviceRule rule,
        int vocabulary,
        float[] logits,
        Draft draft,
        SamplingPolicy policy,
        int round) {
    private static final long SEED = 20261121;

    /// None that two equal logits could add up to: rounding would choose.
    private static final double[] TOP_PS = {1e-9, 0.1, 0.55, 0.8, 0.9, 0.95, 0.99, 0.9999};

    /// A case of a rule.
    ///
    /// @param random     chooses everything
    /// @param rows       most nodes, the root included
    static VerdictCase random(DeviceRule rule, int vocabulary, int rows, int round, Random random) {
        int nodes = 1 + random.nextInt(rows);
        var logits = new float[nodes * vocabulary];
        double spread = 0.5 + 3 * random.nextDouble();
        for (int index = 0; index < logits.length; index++) {
            logits[index] = (float) (random.nextGaussian() * spread);
        }
        if (round % 5 == 0) {
            tie(logits, vocabulary, random);
        }
        var temperature = rule == DeviceRule.GREEDY ? 0 : 0.4 + 1.2 * random.nextDouble();
        var policy =
                round % 2 == 0
                        ? SamplingPolicy.atTemperature(temperature)
                        : truncated(temperature, vocabulary, random);
        var draft =
                switch (rule) {
                    case GREEDY, ONE_HOT -> tree(nodes, vocabulary, logits, random);
                    case CHAIN_ONE_HOT, CHAIN_SAMPLED ->
                            chain(rule, nodes, vocabulary, logits, random);
                };
        return new VerdictCase(rule, vocabulary, logits, draft, policy, round);
    }

    VerdictRequest request() {
        return request(coins(round));
    }

    VerdictRequest request(Coins coins) {
        return switch (rule) {
            case GREEDY -> VerdictRequest.greedy(draft.tree(), vocabulary);
            case ONE_HOT -> VerdictRequest.oneHot(draft.tree(), vocabulary, policy, coins);
            case CHAIN_ONE_HOT, CHAIN_SAMPLED ->
                    VerdictRequest.chain(draft, vocabulary, policy, coins).orElseThrow();
        };
    }

    /// What the engine's rule decides, in double precision, with the same streams.
    Verdict ofTheEngine() {
        AcceptanceRule engineRule =
                switch (rule) {
                    case GREEDY -> new GreedyRule();
                    case ONE_HOT -> new OneHotRule();
                    case CHAIN_ONE_HOT, CHAIN_SAMPLED -> new TokenRejectionRule();
                };
        return engineRule.decide(draft, new Laws(), coins(round));
    }

    static Coins coins(int round) {
        return new StreamCoins(new KeyedRandomStreams(SEED, 0), round);
    }

    private static void tie(float[] logits, int vocabulary, Random random) {
        for (int start = 0; start < logits.length; start += vocabulary) {
            int token = random.nextInt(vocabulary);
            logits[start + token] = 9;
            logits[start + random.nextInt(vocabulary)] = 9;
        }
    }

    /// A policy with some of the truncations, from those that keep one token to those that keep nearly all.
    static SamplingPolicy truncated(double temperature, int vocabulary, Random random) {
        int topK =
                random.nextBoolean()
                        ? 1 + random.nextInt(random.nextInt(4) == 0 ? vocabulary + 2 : 30)
                        : 0;
        double topP = random.nextBoolean() ? TOP_PS[random.nextInt(TOP_PS.length)] : 1;
        double minP = random.nextInt(3) == 0 ? Math.pow(10, -3 * random.nextDouble()) : 0;
        return new SamplingPolicy(temperature, topK, topP, minP, 1);
    }

    /// A tree with some nodes that are never accepted and many that carry the likeliest tokens.
    private static Draft tree(int nodes, int vocabulary, float[] logits, Random random) {
        var builder = TokenTree.builder(0);
        var verified = new boolean[nodes];
        verified[0] = true;
        for (int node = 1; node < nodes; node++) {
            int parent = Math.max(0, node - 1 - random.nextInt(3));
            int token =
                    random.nextInt(3) > 0
                            ? likely(logits, parent, vocabulary, random)
                            : random.nextInt(vocabulary);
            verified[node] = verified[parent] && random.nextInt(6) > 0;
            if (verified[node]) {
                builder.add(parent, token);
            } else {
                builder.addUnverified(parent, token);
            }
        }
        return new Draft(builder.build(), new Selection.PointMass());
    }

    private static Draft chain(
            DeviceRule rule, int nodes, int vocabulary, float[] logits, Random random) {
        var tokens = new int[nodes - 1];
        var laws = DraftLaws.builder();
        for (int node = 0; node + 1 < nodes; node++) {
            double[] law = near(logits, node, vocabulary, random);
            laws.put(node, law);
            tokens[node] = Categorical.draw(law, random.nextDouble());
        }
        return new Draft(
                TokenTree.chain(0, tokens),
                rule == DeviceRule.CHAIN_SAMPLED
                        ? new Selection.Independent(laws.build())
                        : new Selection.PointMass());
    }

    /// A law like the target's, but not quite; some tokens have probability 0.
    private static double[] near(float[] logits, int node, int vocabulary, Random random) {
        var law = new double[vocabulary];
        double total = 0;
        for (int token = 0; token < vocabulary; token++) {
            double noise = random.nextGaussian() * 0.7;
            law[token] =
                    random.nextInt(8) == 0 && token > 0
                            ? 0
                            : Math.exp(logits[node * vocabulary + token] + noise);
            total += law[token];
        }
        for (int token = 0; token < vocabulary; token++) {
            law[token] /= total;
        }
        return law;
    }

    private static int likely(float[] logits, int node, int vocabulary, Random random) {
        return IntStream.range(0, vocabulary)
                .boxed()
                .sorted(Comparator.comparing(token -> -logits[node * vocabulary + token]))
                .skip(random.nextInt(3))
                .findFirst()
                .orElseThrow();
    }

    /// The laws as the engine computes them.
    private final class Laws implements TargetLaws {
        @Override
        public int vocabularySize() {
            return vocabulary;
        }

        @Override
        public double[] law(int node) {
            return policy.law(row(node), vocabulary, TokenHistory.empty());
        }

        @Override
        public int position(int node) {
            return draft.tree().depth(node);
        }

        @Override
        public int mode(int node) {
            return policy.mode(row(node), vocabulary, TokenHistory.empty());
        }

        private MemorySegment row(int node) {
            return MemorySegment.ofArray(logits).asSlice(4L * node * vocabulary, 4L * vocabulary);
        }
    }
}
