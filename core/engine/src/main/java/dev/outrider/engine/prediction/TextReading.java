package dev.outrider.engine.prediction;

import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.LazyDistributions;
import dev.outrider.engine.random.ForwardingRandomness;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.TreeShape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reads a text position by position, teacher-forced: at each position a drafter's session drafts, the target scores, and all
/// sessions are told that nothing was kept and that the text's token follows. The survival at a position is
///
/// ```
/// S_l = E[ w 1{the draft has x_1 … x_l} P(the rule keeps x_1 … x_l | draft) ] / p(x_1 … x_l)
/// ```
///
/// If guesses are drawn and the rule reads q, drafts that follow the text are rare. They are then drawn by [GuidedDraws] with
/// weight w, in as many sessions as drafts have levels: the session for `S_l` is guided l levels deep, so that the levels below are
/// drawn by the drafter itself, which rules that judge from the leaves need. Otherwise the draft does not depend on the text, and
/// one session with w = 1 is enough.
///
/// Confined to one thread; owns its sessions.
///
/// @see "docs/reference/algorithms.md A12.5"
final class TextReading implements AutoCloseable {
    private static final double SHARE_OF_SIBLINGS = 0.5;

    private final Drafter drafter;
    private final AcceptanceRule rule;
    private final RandomnessSource randomness;
    private final boolean guided;
    private final int sessions;
    private final TextWalk walk;
    private int drafts;

    TextReading(
            Decoder decoder, DecodeRequest request, int[] written, RandomnessSource randomness) {
        this.drafter = decoder.drafter().orElseThrow();
        this.rule = decoder.ruleFor(request.policy());
        this.randomness = randomness;
        this.guided =
                !request.policy().greedy()
                        && !drafter.traits().selections().equals(Set.of(Selection.Kind.POINT_MASS));
        this.sessions = guided ? drafter.traits().maxDepth() : 1;
        this.walk = new TextWalk(decoder, request, written, sessions);
    }

    /// Reads on by one token.
    ///
    /// @return `S_l` by l, of the position before it; at least index 0, which is 1
    double[] next() {
        int[] rest = walk.rest();
        int most = Math.min(walk.budget().maxDepth(), rest.length - 1);
        var kept = new double[most + 1];
        kept[0] = 1;
        for (int session = 0; session < sessions; session++) {
            int depth = guided ? Math.min(session + 1, most) : 0;
            var draws = new GuidedDraws(randomness.round(drafts++), rest, depth, share());
            double[] odds =
                    walk.draft(
                            session,
                            draws,
                            (draft, target) -> {
                                if (guided) {
                                    draws.requireNodesAsDrawn(draft.tree());
                                }
                                return odds(draft, target, rest);
                            });
            int first = guided ? session + 1 : 1;
            int last = guided ? session + 1 : most;
            for (int level = first; level <= Math.min(last, most); level++) {
                kept[level] = level < odds.length ? draws.weight() * odds[level] : 0;
            }
        }
        return kept;
    }

    private double share() {
        return drafter.traits().shape() == TreeShape.CHAIN ? 1 : SHARE_OF_SIBLINGS;
    }

    /// Returns by l the probability that the rule keeps `x_1 … x_l`, over their probability under p.
    private double[] odds(Draft draft, LazyDistributions target, int... rest) {
        double[] odds = AcceptanceEnumerator.kept(rule, draft, target, rest);
        double p = probability(target, 0, rest[0]);
        for (int level = 1; level < odds.length && odds[level] > 0; level++) {
            if (level > 1) {
                int node = AcceptanceEnumerator.nodeOnText(draft.tree(), rest, level - 1);
                p *= probability(target, node, rest[level - 1]);
            }
            odds[level] /= p;
        }
        return odds;
    }

    private static double probability(LazyDistributions target, int node, int token) {
        double p = target.distribution(node)[token];
        if (p <= 0) {
            throw ErrorCode.DATA_INVALID.error(
                    "the target would never write token %d at position %d of the text"
                            .formatted(token, target.position(node)),
                    "Predict on text that this target wrote, under the same sampling policy.");
        }
        return p;
    }

    @Override
    public void close() {
        walk.close();
    }

    /// Importance sampling of drafts that follow a text: at a node on the text the text's next token is drawn with probability
    /// `share + (1 - share) q` instead of q, and [#weight] is the true probability of the drawn tokens over that of the guided
    /// draw. Weighted so, an expectation over guided drafts is one over the drafter's own.
    ///
    /// Confined to one thread and one draft.
    ///
    /// @see "Owen 2013, Monte Carlo theory, methods and examples, section 9.1"
    static final class GuidedDraws implements ForwardingRandomness {
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

        /// @param randomness makes the draws
        /// @param text       what follows the root
        /// @param depth      levels that are guided, at most the text's length; deeper ones are the drafter's own
        /// @param share      of the draws that follow the text: 1 if a node has one child, below 1 if it may have more
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

        private int guided(
                int wanted, Role role, int node, double[] distribution, Support support) {
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

        /// Checks that nodes are numbered as they are drawn: only then the node of each draw is known.
        ///
        /// @throws OutriderException CAPABILITY_MISSING
        void requireNodesAsDrawn(TokenTree tree) {
            for (int node = 1; node <= drawn.size(); node++) {
                var draw = drawn.get(node - 1);
                if (node >= tree.size()
                        || tree.parent(node) != draw.node()
                        || tree.token(node) != draw.token()) {
                    throw ErrorCode.CAPABILITY_MISSING.error(
                            "draw %d of a draft (token %d below node %d) is not its node %d, so that no text can be followed"
                                    .formatted(node, draw.token(), draw.node(), node),
                            "Measure this drafter with 'outrider bench'; a prediction needs one whose nodes come as they are drawn.");
                }
            }
        }
    }
}
