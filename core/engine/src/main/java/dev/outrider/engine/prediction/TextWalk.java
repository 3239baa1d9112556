package dev.outrider.engine.prediction;

import dev.outrider.engine.decode.Budgets;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.LazyDistributions;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/// Reads a text token by token with a target and some sessions of a drafter. At each position the sessions draft, the target
/// scores, and all are told that nothing was kept and that the text's token follows. Confined to one thread; owns its sessions.
///
/// @see "docs/reference/algorithms.md A12.5"
final class TextWalk implements AutoCloseable {
    private final Decoder decoder;
    private final DecodeRequest request;
    private final int[] tokens;
    private final TargetSession target;
    private final List<DraftSession> sessions = new ArrayList<>();
    private Optional<LazyDistributions> distributions = Optional.empty();
    private int length;

    /// @param count sessions of the drafter
    TextWalk(Decoder decoder, DecodeRequest request, int[] written, int count) {
        this.decoder = decoder;
        this.request = request;
        this.length = request.prompt().length;
        this.tokens =
                IntStream.concat(Arrays.stream(request.prompt()), Arrays.stream(written)).toArray();
        this.target = decoder.openTarget(request, decoder.capacity(length + request.maxTokens()));
        try {
            begin(count);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private void begin(int count) {
        for (int session = 0; session < count; session++) {
            sessions.add(decoder.openDrafting(request, DecodeListener.none(), target::capability));
        }
        int[] prompt = request.prompt();
        try (var states = target.prefill(Arrays.copyOf(prompt, prompt.length - 1))) {
            sessions.forEach(session -> session.begin(prompt.clone(), states));
        }
    }

    /// Returns the text after this position, at least one token.
    int[] rest() {
        return Arrays.copyOfRange(tokens, length, tokens.length);
    }

    /// Returns the budget that decoding would give a round here.
    DraftBudget budget() {
        int emitted = length - request.prompt().length;
        return Budgets.of(
                decoder.drafter().orElseThrow().traits(),
                decoder.lengths().start().next(),
                request.maxTokens() - emitted - 1,
                target.capacity() - target.length() - 1);
    }

    /// Lets a session draft and the target score the draft; then both continue. Sessions take turns in order; after the last one
    /// the next position begins.
    ///
    /// @param session    from 0
    /// @param randomness of the draft
    /// @param use        of the draft and the target's distributions, valid for this call
    <T> T draft(int session, Randomness randomness, BiFunction<Draft, LazyDistributions, T> use) {
        var drafting = sessions.get(session);
        var draft = drafting.propose(budget(), randomness);
        try (var scores = target.score(draft.tree())) {
            var used = use.apply(draft, distributions(draft.tree(), scores));
            goOn(drafting, draft, scores, session == sessions.size() - 1);
            return used;
        }
    }

    private LazyDistributions distributions(TokenTree tree, TargetScores scores) {
        var history = new TokenHistory(tokens, length, new int[0], request.prompt().length);
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
            distributions.ifPresent(each -> each.commit(verdict));
            target.commit(verdict);
        }
        session.observe(draft, verdict, scores);
        if (last) {
            length++;
        }
    }

    @Override
    public void close() {
        try (target) {
            sessions.forEach(DraftSession::close);
        }
    }
}
