package dev.outrider.engine.prediction;

import dev.outrider.engine.decode.LazyDistributions;
import dev.outrider.engine.random.Forks;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.tree.TokenTree;
import java.util.Arrays;
import java.util.stream.IntStream;

/// The probability that a rule keeps the part of a draft that follows a text. It is computed by enumerating every outcome of the
/// rule's tests: the rule itself decides, no formula of it is used. Confined to one thread and one draft.
final class AcceptanceEnumerator implements Randomness {
    private static final int MAX_OUTCOMES = 1 << 14;
    private static final int OFF = -1;

    private final AcceptanceRule rule;
    private final Draft draft;
    private final int[] levels;
    private final Forks forks = new Forks();

    private AcceptanceEnumerator(AcceptanceRule rule, Draft draft, int[] text) {
        this.rule = rule;
        this.draft = draft;
        this.levels = levels(draft.tree(), text);
    }

    /// Returns the probability that a round keeps the first l tokens of a text, given its draft.
    ///
    /// @param text what follows the root
    /// @return by l; index 0 is 1
    /// @throws OutriderException CAPABILITY_MISSING if the rule uses noise that cannot be enumerated, or has too many outcomes
    static double[] kept(AcceptanceRule rule, Draft draft, LazyDistributions target, int... text) {
        return new AcceptanceEnumerator(rule, draft, text).kept(target);
    }

    private double[] kept(LazyDistributions target) {
        var odds = new double[draft.tree().maxDepth() + 1];
        int outcomes = 0;
        do {
            if (++outcomes > MAX_OUTCOMES) {
                throw refused(
                        "has more than %d outcomes for a draft of %d nodes"
                                .formatted(MAX_OUTCOMES, draft.tree().draftedNodes()));
            }
            var verdict = rule.decide(draft, target, this);
            target.takeBack();
            double weight = forks.weight();
            odds[0] += weight;
            for (int node : verdict.acceptedNodes()) {
                if (levels[node] != OFF) {
                    odds[levels[node]] += weight;
                }
            }
        } while (forks.next());
        return odds;
    }

    /// Returns a node that the first tokens of a text lead to. Independent siblings may have several such nodes, all alike.
    ///
    /// @param level how many tokens; the tree has them
    static int nodeOnText(TokenTree tree, int[] text, int level) {
        int[] levels = levels(tree, text);
        return IntStream.range(0, levels.length)
                .filter(node -> levels[node] == level)
                .findFirst()
                .orElseThrow();
    }

    /// Returns for each node the number of the text's tokens on its path.
    private static int[] levels(TokenTree tree, int... text) {
        var levels = new int[tree.size()];
        for (int node = 1; node < levels.length; node++) {
            int above = levels[tree.parent(node)];
            boolean follows =
                    above != OFF && above < text.length && tree.token(node) == text[above];
            levels[node] = follows ? above + 1 : OFF;
        }
        return levels;
    }

    @Override
    public boolean accept(int node, double numerator, double denominator) {
        double chance = Math.min(1, numerator / denominator);
        return forks.choose(new int[] {1, 0}, new double[] {chance, 1 - chance}) == 1;
    }

    @Override
    public int draw(Role role, int node, double[] distribution) {
        return draw(role, node, distribution, Support.of(distribution));
    }

    /// Draws a token: it matters only whether the token continues along the text.
    @Override
    public int draw(Role role, int node, double[] distribution, Support support) {
        int wanted = next(node);
        double sum = 0;
        int other = OFF;
        for (int index = 0; index < support.size(); index++) {
            int token = support.token(index);
            sum += distribution[token];
            other = other == OFF && token != wanted && distribution[token] > 0 ? token : other;
        }
        if (wanted == OFF || distribution[wanted] <= 0) {
            return other;
        }
        double chance = other == OFF ? 1 : distribution[wanted] / sum;
        return forks.choose(new int[] {wanted, other}, new double[] {chance, 1 - chance});
    }

    /// The text's token after a node, if a child carries it.
    private int next(int node) {
        var tree = draft.tree();
        return Arrays.stream(tree.candidates(node))
                .filter(child -> levels[child] != OFF)
                .map(tree::token)
                .findFirst()
                .orElse(OFF);
    }

    @Override
    public int[] gumbelTopK(int position, double[] distribution, int count) {
        throw refused("shares noise with its drafts");
    }

    @Override
    public double uniform(Role role, int node) {
        throw refused("takes continuous noise");
    }

    private OutriderException refused(String why) {
        return ErrorCode.CAPABILITY_MISSING.error(
                "rule '%s' %s, so that its odds cannot be computed"
                        .formatted(rule.traits().name(), why),
                "Measure it with 'outrider bench', or predict another rule.");
    }
}
