package dev.outrider.engine.prediction;

import dev.outrider.engine.random.ForwardingRandomness;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Importance sampling of drafts that follow a text: at a node on the text the text's next token is drawn with probability
/// `share + (1 - share) q` instead of q, and [#weight] is the true probability of what was drawn over that of the guided
/// draw. Weighted so, an expectation over guided drafts is one over the drafter's own.
///
/// Confined to one thread and one draft.
///
/// @see "Owen 2013, Monte Carlo theory, methods and examples, section 9.1"
final class GuidedDraws implements ForwardingRandomness {
    private final Randomness randomness;
    private final int[] text;
    private final int depth;
    private final double share;
    private final List<Drawn> drawn = new ArrayList<>();
    private final Map<Integer, Integer> depthOnText = new HashMap<>(Map.of(0, 0));
    private final BitSet followed = new BitSet();
    private double weight = 1;

    /// @param node whose successor was drawn
    private record Drawn(int node, int token) {}

    /// @param randomness tosses
    /// @param text       what follows the root
    /// @param depth      levels that are guided, at most the text's length; deeper ones are the drafter's own
    /// @param share      of the draws that the text decides: 1 where a node has one child, below 1 where it may have more
    GuidedDraws(Randomness randomness, int[] text, int depth, double share) {
        this.randomness = randomness;
        this.text = text;
        this.depth = depth;
        this.share = share;
    }

    @Override
    public Randomness randomness() {
        return randomness;
    }

    double weight() {
        return weight;
    }

    @Override
    public int draw(Role role, int node, double[] distribution) {
        return draw(role, node, distribution, Support.of(distribution));
    }

    @Override
    public int draw(Role role, int node, double[] distribution, Support support) {
        int level = depthOnText.getOrDefault(node, Integer.MAX_VALUE);
        int token =
                level < depth && !followed.get(node)
                        ? guided(text[level], role, node, distribution, support)
                        : randomness.draw(role, node, distribution, support);
        drawn.add(new Drawn(node, token));
        if (level < text.length && token == text[level]) {
            followed.set(node);
            depthOnText.put(drawn.size(), level + 1);
        }
        return token;
    }

    private int guided(int wanted, Role role, int node, double[] distribution, Support support) {
        double q = distribution[wanted] / sum(distribution, support);
        if (q <= 0) {
            return randomness.draw(role, node, distribution, support);
        }
        int token =
                randomness.accept(node, share, 1)
                        ? wanted
                        : randomness.draw(role, node, distribution, support);
        weight *= token == wanted ? q / (share + (1 - share) * q) : 1 / (1 - share);
        return token;
    }

    private static double sum(double[] distribution, Support support) {
        double sum = 0;
        for (int index = 0; index < support.size(); index++) {
            sum += distribution[support.token(index)];
        }
        return sum;
    }

    /// Which node a draw was for was known only if nodes are numbered as they are drawn.
    ///
    /// @throws OutriderException CAPABILITY_MISSING
    void requireNodesAsDrawn(TokenTree tree) {
        for (int node = 1; node <= drawn.size(); node++) {
            var draw = drawn.get(node - 1);
            if (node >= tree.size()
                    || tree.parent(node) != draw.node()
                    || tree.token(node) != draw.token()) {
                throw new OutriderException(
                        ErrorCode.CAPABILITY_MISSING,
                        "draw %d of a draft (token %d below node %d) is not its node %d, so that no text can be followed"
                                .formatted(node, draw.token(), draw.node(), node),
                        "Measure this drafter with 'outrider bench'; a prediction needs one whose nodes come as they are drawn.");
            }
        }
    }
}
