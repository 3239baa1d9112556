package dev.outrider.engine.decode;

import dev.outrider.common.CopiedStates;
import dev.outrider.engine.check.CheckedRule;
import dev.outrider.engine.check.CheckedRule.GuardedRule;
import dev.outrider.engine.check.GuardedLength;
import dev.outrider.engine.decode.RunningSequence.PromptRows;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.DraftSession.TimedDrafting;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeEvent.Finished;
import dev.outrider.spi.run.DecodeEvent.Prefilled;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import dev.outrider.spi.run.DecodeEvent.TargetPass;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.target.Tokenizer;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// One sequence from prompt to end, in steps, so that a pass between [#propose] and [#settle] may serve several
/// sequences: propose, score, decide, commit, observe. Confined to one thread.
///
/// Its clock runs during its own steps only; the time of other sequences between them does not count.
final class DecodedSequence {
    private final Decoder decoder;
    private final CheckedRule checked;
    private final AcceptanceRule rule;
    private final DecodeRequest request;
    private final TargetSession target;
    private final DraftSession drafting;
    private final RandomnessSource randomnessSource;
    private final DecodeListener listener;
    private final TargetDescription description;
    private final CommittedTokens committed;
    private final Optional<TextAssembler> text;
    private final StageClock clock;
    private final DraftLengthPolicy length;
    private final Optional<DrafterTraits> traits;
    private Optional<LazyDistributions> distributions = Optional.empty();
    private Optional<Proposed> proposed = Optional.empty();
    private Optional<CopiedStates> earlier = Optional.empty();
    private long prefillNanos;
    private int round;
    private long listening;

    /// A draft that waits for its scores.
    ///
    /// @param rest    nanoseconds of the engine before drafting
    /// @param drafted nanoseconds of drafting
    /// @param reason  reason of the length, and of the choice of the drafter
    private record Proposed(
            Draft draft, Randomness randomness, long rest, long drafted, String reason) {}

    DecodedSequence(
            Decoder decoder,
            AcceptanceRule rule,
            DecodeRequest request,
            TargetSession target,
            DraftSession drafting,
            RandomnessSource randomnessSource,
            DecodeListener listener) {
        this.decoder = decoder;
        this.traits = decoder.drafter().map(Drafter::traits);
        this.checked = checked(rule);
        this.rule = new GuardedRule(checked, decoder.onFailure(), () -> round, listener::onEvent);
        this.request = request;
        this.target = target;
        this.drafting = drafting;
        this.randomnessSource = randomnessSource;
        this.listener = listener;
        this.description = decoder.target().description();
        this.committed =
                new CommittedTokens(
                        request.prompt(), request.prompt().length + request.maxTokens());
        this.text =
                listener.wantsText() || !request.stop().isEmpty() || request.continues()
                        ? Optional.of(
                                new TextAssembler(
                                        stream(decoder.target().tokenizer(), request),
                                        request.stop(),
                                        listener::onText))
                        : Optional.empty();
        this.length =
                new GuardedLength(
                        decoder.lengths(), decoder.onFailure(), () -> round, listener::onEvent);
        this.clock = new StageClock(decoder.ticker());
    }

    private static Tokenizer.TokenStream stream(Tokenizer tokenizer, DecodeRequest request) {
        return request.continues()
                ? FollowingText.stream(tokenizer, request.prompt())
                : tokenizer.stream();
    }

    /// A pairing that was run although it is not exact may bring any selection.
    private CheckedRule checked(AcceptanceRule chosen) {
        Set<Selection.Kind> declared = traits.map(DrafterTraits::selections).orElse(Set.of());
        var judges = chosen.traits().judges();
        return new CheckedRule(
                chosen, judges.containsAll(declared) ? judges : Set.of(), () -> round);
    }

    /// Reads the next part of the prompt; says whether it is read. Called first, until it is.
    ///
    /// @param most tokens to read
    /// @param rows as [RunningSequence#prefill]
    boolean prefill(int most, Optional<PromptRows> rows) {
        int[] prompt = request.prompt();
        int from = target.length();
        int to = from + Math.min(most, unread());
        clock.lap();
        try (var states = read(prompt, from, to, rows)) {
            prefillNanos += clock.lap();
            boolean whole = from == 0 && unread() == 0;
            if (!whole && earlier.isEmpty()) {
                earlier = Optional.of(new CopiedStates(decoder.hiddenStates(), Arena.ofConfined()));
            }
            earlier.ifPresent(kept -> kept.add(states));
            if (unread() > 0) {
                return false;
            }
            drafting.begin(prompt.clone(), earlier.<HiddenStates>map(kept -> kept).orElse(states));
            report(new Prefilled(prompt.length, prefillNanos, clock.lap()));
        }
        closeStates();
        return true;
    }

    /// Returns the number of tokens to read before the first round.
    int unread() {
        return request.prompt().length - 1 - target.length();
    }

    /// Frees the kept states of a prompt that is being read.
    void closeStates() {
        earlier.ifPresent(CopiedStates::close);
        earlier = Optional.empty();
    }

    /// Reads a part of the prompt. If a caller wants its rows, they are scored as a chain of guesses, all of which are accepted.
    private HiddenStates read(int[] prompt, int from, int to, Optional<PromptRows> rows) {
        var tokens = Arrays.copyOfRange(prompt, from, to);
        if (rows.isEmpty() || tokens.length == 0) {
            return target.prefill(tokens);
        }
        var scores =
                target.score(
                        TokenTree.chain(tokens[0], Arrays.copyOfRange(tokens, 1, tokens.length)));
        try {
            for (int node = 0; node < tokens.length; node++) {
                rows.get().onRow(from + node + 1, scores.logits(node));
            }
            var guesses = IntStream.range(1, tokens.length).boxed().toList();
            target.commit(new Verdict(guesses, prompt[to], Verdict.Origin.BONUS));
            return scores;
        } catch (RuntimeException | Error e) {
            scores.close();
            throw e;
        }
    }

    /// Drafts for the next round. The tree is to be scored and [#settle] called with the scores.
    TokenTree propose() {
        clock.lap();
        var randomness = randomnessSource.round(round);
        var budget = budget();
        var reason = length.reason();
        long rest = listening + clock.lap();
        var draft = drafting.propose(budget, randomness);
        var choice = draft.reason();
        var why = reason.isEmpty() || choice.isEmpty() ? reason + choice : reason + "; " + choice;
        proposed = Optional.of(new Proposed(draft, randomness, rest, clock.lap(), why));
        return draft.tree();
    }

    /// Decides on the draft of the last [#propose] and takes over what was decided; says why the sequence is over, if
    /// it is.
    ///
    /// @param scores of the proposed tree
    /// @param pass   what scored it; this sequence's time is an equal share
    Optional<FinishReason> settle(TargetScores scores, TargetPass pass) {
        long targetNanos = pass.nanos() / pass.sequences();
        var last = proposed.orElseThrow();
        proposed = Optional.empty();
        clock.lap();
        var distributions = distributions(scores, last.draft());
        var verdict = rule.decide(last.draft(), distributions, last.randomness());
        distributions.commit(verdict);
        long decided = clock.lap();
        int before = committed.emittedCount();
        var reason = emit(verdict, last.draft());
        long rest = last.rest() + clock.lap();
        long commit = 0;
        long observe = 0;
        if (reason.isEmpty()) {
            target.commit(verdict);
            commit = clock.lap();
            drafting.observe(last.draft(), verdict, scores);
            observe = clock.lap();
        }
        var times = new StageTimes(last.drafted(), targetNanos, decided, commit, observe, rest);
        int emitted = committed.emittedCount() - before;
        var event =
                new RoundCompleted(
                        round,
                        last.draft(),
                        verdict,
                        emitted,
                        times,
                        scores.activeExperts(),
                        pass,
                        last.reason());
        length.observe(event);
        if (reason.isEmpty()) {
            drafting.capability(TimedDrafting.class)
                    .ifPresent(timed -> timed.onRoundTime(times.total()));
        }
        report(event);
        round++;
        listening = clock.lap();
        return reason;
    }

    /// Returns the budget that the draft-length policy asks for, as far as it is useful: the round also emits the token that follows the
    /// draft, and every node needs a cache row beside the root's.
    private DraftBudget budget() {
        int wanted = length.next();
        int useful = request.maxTokens() - committed.emittedCount() - 1;
        int rows = target.capacity() - target.length() - 1;
        return traits.map(declared -> Budgets.of(declared, wanted, useful, rows))
                .orElse(new DraftBudget(0, 0));
    }

    private LazyDistributions distributions(TargetScores scores, Draft draft) {
        var history = committed.history();
        if (distributions.isPresent()) {
            distributions.get().next(scores, draft.tree(), history);
            return distributions.get();
        }
        var fresh =
                new LazyDistributions(
                        request.policy(),
                        decoder.processors().on(description.vocabularySize()),
                        description.vocabularySize(),
                        scores,
                        draft.tree(),
                        history);
        distributions = Optional.of(fresh);
        return fresh;
    }

    /// Appends the round's tokens up to the first that ends the sequence (docs/reference/algorithms.md I6).
    private Optional<FinishReason> emit(Verdict verdict, Draft draft) {
        for (int token : verdict.emitted(draft.tree())) {
            committed.add(token);
            boolean stopped = text.map(assembler -> assembler.append(token)).orElse(false);
            if (stopped) {
                return Optional.of(FinishReason.STOP_STRING);
            }
            if (!request.ignoreEndOfSequence() && description.endOfSequence().contains(token)) {
                return Optional.of(FinishReason.END_OF_SEQUENCE);
            }
            if (committed.emittedCount() == request.maxTokens()) {
                return Optional.of(FinishReason.MAX_TOKENS);
            }
        }
        return Optional.empty();
    }

    /// Ends the sequence. Called once, last.
    Generation finish(FinishReason why) {
        int[] tokens = committed.emitted();
        var reason = why;
        if (text.isPresent()) {
            if (why == FinishReason.STOP_STRING) {
                text.get().finishStopped();
            } else if (text.get().finish()) {
                reason = FinishReason.STOP_STRING;
            }
        }
        report(new Finished(reason, tokens.length));
        String written =
                text.map(TextAssembler::text)
                        .orElseGet(() -> decoder.target().tokenizer().decode(tokens));
        return new Generation(tokens, written, reason, round, List.of());
    }

    private void report(DecodeEvent event) {
        listener.onEvent(event);
    }

    /// The prompt and what was emitted after it. Confined to one thread.
    private static final class CommittedTokens {
        private final int promptLength;
        private final int[] tokens;
        private int length;

        /// @param most tokens there is room for, the prompt included
        CommittedTokens(int[] prompt, int most) {
            this.promptLength = prompt.length;
            this.tokens = Arrays.copyOf(prompt, most);
            this.length = prompt.length;
        }

        void add(int token) {
            tokens[length++] = token;
        }

        int emittedCount() {
            return length - promptLength;
        }

        int[] emitted() {
            return Arrays.copyOfRange(tokens, promptLength, length);
        }

        TokenHistory history() {
            return new TokenHistory(tokens, length, new int[0], promptLength);
        }
    }
}
