package dev.outrider.engine.beam;

import dev.outrider.engine.beam.SuccessorScores.BannedTokens;
import dev.outrider.engine.check.GuardedLength;
import dev.outrider.engine.decode.Budgets;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.decode.Generation.Hypothesis;
import dev.outrider.engine.decode.StageClock;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.run.DecodeEvent.BeamPassCompleted;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeEvent.Finished;
import dev.outrider.spi.run.DecodeEvent.Prefilled;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import java.util.Arrays;

/// One search from prompt to end, pass by pass: draft, score, replay, drop. Confined to one thread.
final class BeamRun {
    private final Decoder decoder;
    private final DecodeRequest request;
    private final TargetSession target;
    private final BeamDrafts drafts;
    private final RandomnessSource randomness;
    private final DecodeListener listener;
    private final DraftLengthPolicy length;
    private final ForestRows rows;
    private final Replay replay;
    private final StageClock clock;
    private int round;
    private int deepest;

    BeamRun(
            Decoder decoder,
            BeamSearch search,
            DecodeRequest request,
            TargetSession target,
            BeamDrafts drafts,
            RandomnessSource randomness,
            DecodeListener listener) {
        this.decoder = decoder;
        this.request = request;
        this.target = target;
        this.drafts = drafts;
        this.randomness = randomness;
        this.listener = listener;
        this.length =
                new GuardedLength(
                        decoder.lengths(), decoder.onFailure(), () -> round, listener::onEvent);
        this.rows = ForestRows.of(target);
        int vocabulary = decoder.target().description().vocabularySize();
        int[] prompt = request.prompt().clone();
        this.replay =
                new Replay(
                        search,
                        new SuccessorScores(
                                new BannedTokens(search.settings(), search.endTokens(), prompt),
                                decoder.processors().on(vocabulary),
                                vocabulary,
                                search.candidates()),
                        prompt[prompt.length - 1]);
        this.clock = new StageClock(decoder.ticker());
    }

    /// Reads the prompt. Called once, first.
    void prefill() {
        int[] prompt = request.prompt();
        clock.lap();
        target.prefill(Arrays.copyOf(prompt, prompt.length - 1)).close();
        long targetNanos = clock.lap();
        follow();
        listener.onEvent(new Prefilled(prompt.length, targetNanos, clock.lap()));
    }

    boolean over() {
        return replay.state().over();
    }

    /// Runs one pass of the target and the steps that it decides. The listener's time after the last pass counts as the engine's
    /// time.
    void pass() {
        var forest = replay.forest();
        int held = forest.held();
        replay.addLive();
        requireRoom();
        int live = forest.size() - held;
        long rest = clock.lap();
        draft();
        int drafted = forest.size() - held - live;
        long drafting = clock.lap();
        TokenTree tree = forest.tree();
        try (var scored = rows.score(tree, held)) {
            long scoring = clock.lap();
            var played = replay.play(scored);
            long deciding = clock.lap();
            int scoredRows = scored.scores().size();
            if (!over()) {
                rows.keep(tree, replay.keep(target.capacity() - target.length()));
            }
            long committing = clock.lap();
            if (!over()) {
                follow();
            }
            long observing = clock.lap();
            listener.onEvent(
                    new BeamPassCompleted(
                            round,
                            scoredRows,
                            drafted,
                            deepest,
                            played.steps(),
                            played.kept(),
                            !over() && played.steps() <= deepest,
                            new StageTimes(
                                    drafting, scoring, deciding, committing, observing, rest)));
        }
        round++;
    }

    private void requireRoom() {
        int wanted = target.length() + replay.forest().size();
        if (wanted > target.capacity()) {
            throw ErrorCode.CONTEXT_EXCEEDED.error(
                    "after %d tokens the beams need %d cache rows, but a sequence of target '%s' has %d"
                            .formatted(
                                    replay.state().live().getFirst().length(),
                                    wanted,
                                    decoder.target().description().name(),
                                    target.capacity()),
                    "Set fewer beams or a smaller maxTokens, or choose a target with a longer context.");
        }
    }

    private void follow() {
        if (decoder.drafter().isPresent()) {
            int beams = replay.search().settings().beams();
            drafts.follow(replay.state().live(), rank -> randomness.round(round * beams + rank));
        }
    }

    /// Adds guesses below every live beam; each has an equal share of the rows that are left.
    private void draft() {
        deepest = 0;
        if (decoder.drafter().isEmpty()) {
            return;
        }
        var traits = decoder.drafter().get().traits();
        var live = replay.state().live();
        int beams = replay.search().settings().beams();
        int wanted = length.next();
        for (int rank = 0; rank < live.size(); rank++) {
            var beam = live.get(rank);
            int useful = request.maxTokens() - beam.length() - 1;
            int free = target.capacity() - target.length() - replay.forest().size();
            var budget = Budgets.of(traits, wanted, useful, free / (live.size() - rank));
            var draft = drafts.propose(beam, budget, randomness.round(round * beams + rank));
            replay.addGuesses(rank, draft.tree());
            deepest = Math.max(deepest, draft.tree().candidateDepth());
        }
    }

    /// Ends a search that has come to its end.
    Generation finish() {
        boolean ended = replay.result().stream().findFirst().map(Hypothesis::ended).orElse(false);
        return finish(ended ? FinishReason.END_OF_SEQUENCE : FinishReason.MAX_TOKENS);
    }

    /// Ends the search. Called once, last.
    Generation finish(FinishReason reason) {
        var hypotheses = replay.result();
        int[] tokens = hypotheses.isEmpty() ? new int[0] : hypotheses.getFirst().ids();
        var text = decoder.target().tokenizer().decode(tokens);
        if (listener.wantsText()) {
            listener.onText(text);
        }
        listener.onEvent(new Finished(reason, tokens.length));
        return new Generation(tokens, text, reason, round, hypotheses);
    }
}
