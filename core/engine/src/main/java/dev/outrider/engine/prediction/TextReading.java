package dev.outrider.engine.prediction;

import dev.outrider.engine.decode.Budgets;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.LazyDistributions;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// Reads a text position by position, teacher-forced: at each a drafter's session drafts, the target scores, and all are told that nothing
/// was kept and that the text's token follows. What a position is worth is
///
/// ```
/// S_l = E[ w 1{the draft has x_1 … x_l} P(the rule keeps x_1 … x_l | draft) ] / p(x_1 … x_l)
/// ```
///
/// Where guesses are drawn and the rule asks for q, drafts that follow the text are rare. They are then drawn by [GuidedDraws] with
/// weight w, in as many sessions as drafts have levels: that for `S_l` is guided l levels deep, so that what lies below stays the drafter's
/// own, as rules that judge from the leaves need. Otherwise the draft knows nothing of the text, and one session with w = 1 will do.
///
/// Confined to one thread; owns its sessions.
///
/// @see "docs/algorithms.md A12.5"
final class TextReading implements AutoCloseable {
    private static final double SHARE_OF_SIBLINGS = 0.5;

    private final Decoder decoder;
    private final Drafter drafter;
    private final AcceptanceRule rule;
    private final DecodeRequest request;
    private final RandomnessSource randomness;
    private final int[] tokens;
    private final TargetSession target;
    private final List<DraftSession> sessions = new ArrayList<>();
    private final boolean guided;
    private Optional<LazyDistributions> distributions = Optional.empty();
    private int length;
    private int drafts;

    TextReading(
            Decoder decoder, DecodeRequest request, int[] written, RandomnessSource randomness) {
        this.decoder = decoder;
        this.drafter = decoder.drafter().orElseThrow();
        this.rule = decoder.ruleFor(request.policy());
        this.request = request;
        this.randomness = randomness;
        this.length = request.prompt().length;
        this.tokens =
                IntStream.concat(Arrays.stream(request.prompt()), Arrays.stream(written)).toArray();
        this.guided =
                !request.policy().greedy()
                        && !drafter.traits().selections().equals(Set.of(Selection.Kind.POINT_MASS));
        int longest = length + request.maxTokens();
        this.target = decoder.openTarget(request, decoder.capacity(longest));
        try {
            begin();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private void begin() {
        int count = guided ? drafter.traits().maxDepth() : 1;
        for (int session = 0; session < count; session++) {
            sessions.add(decoder.openDrafting(request, DecodeListener.none(), target::capability));
        }
        int[] prompt = request.prompt();
        try (var states = target.prefill(Arrays.copyOf(prompt, prompt.length - 1))) {
            sessions.forEach(session -> session.begin(prompt.clone(), states));
        }
    }

    /// Reads on by one token.
    ///
    /// @return `S_l` by l, of the position before it; at least index 0, which is 1
    double[] next() {
        var budget = budget();
        int[] rest = Arrays.copyOfRange(tokens, length, tokens.length);
        int most = Math.min(budget.maxDepth(), rest.length - 1);
        var kept = new double[most + 1];
        kept[0] = 1;
        for (int session = 0; session < sessions.size(); session++) {
            int depth = guided ? Math.min(session + 1, most) : 0;
            var draws = new GuidedDraws(randomness.round(drafts++), rest, depth, share());
            var draft = sessions.get(session).propose(budget, draws);
            if (guided) {
                draws.requireNodesAsDrawn(draft.tree());
            }
            try (var scores = target.score(draft.tree())) {
                double[] odds = odds(draft, scores, rest);
                int first = guided ? session + 1 : 1;
                int last = guided ? session + 1 : most;
                for (int level = first; level <= Math.min(last, most); level++) {
                    kept[level] = level < odds.length ? draws.weight() * odds[level] : 0;
                }
                goOn(sessions.get(session), draft, scores, session == sessions.size() - 1);
            }
        }
        length++;
        return kept;
    }

    private double share() {
        return drafter.traits().shape() == TreeShape.CHAIN ? 1 : SHARE_OF_SIBLINGS;
    }

    private DraftBudget budget() {
        int emitted = length - request.prompt().length;
        return Budgets.of(
                drafter.traits(),
                decoder.lengths().start().next(),
                request.maxTokens() - emitted - 1,
                target.capacity() - target.length() - 1);
    }

    /// By l, the probability that the rule keeps `x_1 … x_l`, over p of them.
    private double[] odds(Draft draft, TargetScores scores, int... rest) {
        var target = distributions(draft.tree(), scores);
        double[] odds = RuleOdds.kept(rule, draft, target, rest);
        double p = probability(target, 0, rest[0]);
        for (int level = 1; level < odds.length && odds[level] > 0; level++) {
            if (level > 1) {
                int node = RuleOdds.nodeOnText(draft.tree(), rest, level - 1);
                p *= probability(target, node, rest[level - 1]);
            }
            odds[level] /= p;
        }
        return odds;
    }

    private static double probability(LazyDistributions target, int node, int token) {
        double p = target.distribution(node)[token];
        if (p <= 0) {
            throw new OutriderException(
                    ErrorCode.DATA_INVALID,
                    "the target would never write token %d at position %d of the text"
                            .formatted(token, target.position(node)),
                    "Predict on text that this target wrote, under the same sampling policy.");
        }
        return p;
    }

    private LazyDistributions distributions(TokenTree tree, TargetScores scores) {
        var history = new TokenHistory(tokens, length, new int[0]);
        if (distributions.isPresent()) {
            distributions.get().next(scores, tree, history);
            return distributions.get();
        }
        int vocabulary = decoder.target().description().vocabularySize();
        var fresh =
                new LazyDistributions(
                        request.policy(),
                        decoder.processors().on(vocabulary),
                        vocabulary,
                        scores,
                        tree,
                        history);
        distributions = Optional.of(fresh);
        return fresh;
    }

    private void goOn(DraftSession session, Draft draft, TargetScores scores, boolean last) {
        var origin = draft.tree().candidateNodes() > 0 ? Origin.CORRECTION : Origin.BONUS;
        var verdict = new Verdict(List.of(), tokens[length], origin);
        if (last) {
            target.commit(verdict);
        }
        session.observe(draft, verdict, scores);
    }

    @Override
    public void close() {
        try (target) {
            sessions.forEach(DraftSession::close);
        }
    }
}
