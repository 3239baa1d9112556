package dev.outrider.engine.length;

import dev.outrider.engine.model.OptimalTrees.PositionalAcceptance;
import dev.outrider.engine.model.RoundCost;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// Simulated rounds of a drafter that grows any requested tree, with given acceptance by rank and
/// given costs.
///
/// @param own        the drafter's own tree
/// @param acceptance by round of the whole run
/// @param cost       by round of the whole run
record SimulatedTrees(
        List<List<Integer>> own,
        IntFunction<PositionalAcceptance> acceptance,
        IntFunction<RoundCost> cost) {
    private static final double NOISE = 0.1;
    private static final int TOKENS = 128;

    /// Returns the nanoseconds per token, without the noise that the policy sees.
    double timePerToken(Supplier<DraftLengthPolicy> policies, int sequences, long seed) {
        var random = new Random(seed);
        double time = 0;
        long written = 0;
        int all = 0;
        for (int sequence = 0; sequence < sequences; sequence++) {
            var policy = policies.get();
            for (int tokens = 0; tokens < TOKENS; ) {
                var paths = policy.next() == 0 ? List.<List<Integer>>of() : asked(policy);
                var tree = tree(paths);
                var verdict = verdict(tree, acceptance.apply(all), random);
                var costs = cost.apply(all++);
                int depth = tree.maxDepth();
                double drafting = costs.drafting(paths.size(), depth);
                double verifying = costs.verifying(tree.size());
                time += drafting + verifying;
                tokens += verdict.acceptedLength() + 1;
                written += verdict.acceptedLength() + 1;
                policy.observe(
                        new RoundCompleted(
                                0,
                                new Draft(tree, new Selection.PointMass()),
                                verdict,
                                verdict.acceptedLength() + 1,
                                new StageTimes(
                                        noisy(drafting, random),
                                        noisy(verifying, random),
                                        0,
                                        0,
                                        0,
                                        0)));
            }
        }
        return time / written;
    }

    private List<List<Integer>> asked(DraftLengthPolicy policy) {
        return policy.tree().map(tree -> tree.paths()).orElse(own);
    }

    private static TokenTree tree(List<List<Integer>> paths) {
        var builder = TokenTree.builder(0);
        Map<List<Integer>, Integer> nodes = new HashMap<>();
        nodes.put(List.of(), 0);
        for (var path : paths) {
            int parent = nodes.getOrDefault(path.subList(0, path.size() - 1), 0);
            nodes.put(path, builder.add(parent, path.getLast()));
        }
        return builder.build();
    }

    private static Verdict verdict(TokenTree tree, PositionalAcceptance acceptance, Random random) {
        var accepted = new ArrayList<Integer>();
        int node = 0;
        while (true) {
            int[] children = tree.candidates(node);
            double drawn = random.nextDouble();
            int rank = 0;
            while (rank < acceptance.ranks() && drawn >= acceptance.rates().get(rank)) {
                drawn -= acceptance.rates().get(rank++);
            }
            if (rank == acceptance.ranks() || rank >= children.length) {
                var origin = children.length == 0 ? Origin.BONUS : Origin.CORRECTION;
                return new Verdict(accepted, 0, origin);
            }
            node = children[rank];
            accepted.add(node);
        }
    }

    private static long noisy(double nanos, Random random) {
        return Math.round(nanos * Math.exp(NOISE * random.nextGaussian()));
    }
}
