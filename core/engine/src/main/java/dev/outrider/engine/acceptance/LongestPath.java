package dev.outrider.engine.acceptance;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.function.IntPredicate;

/// The decision of lossy rules that accept single tokens as good enough. They keep the longest path of such tokens (of several, the
/// path that the target finds most probable) and draw the next token from the target's distribution at its end.
///
/// @see "Cai et al. 2024 (Medusa), section 3.3"
final class LongestPath {
    private LongestPath() {}

    /// @param acceptance the test of the successors of a node, given the target's distribution there and its support
    static Verdict decide(
            Draft draft,
            TargetDistributions target,
            Randomness randomness,
            BiFunction<double[], Support, IntPredicate> acceptance) {
        var tree = draft.tree();
        var logProbability = new double[tree.size()];
        Arrays.fill(logProbability, Double.NEGATIVE_INFINITY);
        logProbability[0] = 0;
        int best = 0;
        for (int node = 0; node < tree.size(); node++) {
            if (logProbability[node] == Double.NEGATIVE_INFINITY) {
                continue;
            }
            if (isBetter(tree, logProbability, node, best)) {
                best = node;
            }
            if (TreeWalk.hasCandidates(tree, node)) {
                double[] distribution = target.distribution(node);
                var test = acceptance.apply(distribution, target.support(node));
                for (int child : tree.candidates(node)) {
                    int token = tree.token(child);
                    if (distribution[token] > 0 && test.test(token)) {
                        logProbability[child] =
                                logProbability[node] + Math.log(distribution[token]);
                    }
                }
            }
        }
        boolean tested = TreeWalk.hasCandidates(tree, best);
        var role = tested ? Randomness.Role.RESIDUAL : Randomness.Role.BONUS;
        int next = Residual.at(target, best).draw(randomness, role);
        var path = Arrays.stream(tree.path(best)).skip(1).boxed().toList();
        return new Verdict(path, next, tested ? Origin.CORRECTION : Origin.BONUS);
    }

    private static boolean isBetter(TokenTree tree, double[] logProbability, int node, int best) {
        int depth = Integer.compare(tree.depth(node), tree.depth(best));
        return depth > 0 || depth == 0 && logProbability[node] > logProbability[best];
    }
}
