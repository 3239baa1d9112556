package dev.outrider.serving;

import dev.outrider.common.Ticker;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.decode.RunningSequence;
import dev.outrider.engine.decode.RunningSequence.PromptRows;
import dev.outrider.engine.decode.SharedRound;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.engine.scoring.TokenScore;
import dev.outrider.engine.scoring.TokenScorer;
import dev.outrider.serving.Beginnings.Beginning;
import dev.outrider.serving.Completion.Reason;
import dev.outrider.serving.Completion.Usage;
import dev.outrider.serving.ServedRound.Emitted;
import dev.outrider.serving.ServedRound.Node;
import dev.outrider.serving.ServedRound.Origin;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.ErrorCode.Category;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A request from its submission to its end. Confined to the loop, except for the methods of a ticket.
final class Job implements Ticket, SharedRound.Seat, DecodeListener {
    private static final Logger LOG = LoggerFactory.getLogger(Job.class);

    /// Marks an error in Outrider (docs/reference/errors.md).
    private static final ErrorCode INTERNAL = new ErrorCode("INTERNAL", Category.RUN);

    private final ServingRequest request;
    private final Plan plan;
    private final ServingListener listener;
    private final Ticker ticker;
    private final TokenScorer scorer;
    private final Meter meter;
    private final boolean wantsDrafts;
    private final long submitted;
    private final long patience;
    private final CompletableFuture<Completion> completion = new CompletableFuture<>();
    private final List<Optional<TokenScore>> promptScores = new ArrayList<>();
    private final Optional<PromptRows> rows;
    private final StringBuilder text = new StringBuilder();
    private volatile boolean cancelled;
    private volatile boolean deaf;
    private CompletableFuture<Void> told = CompletableFuture.completedFuture(null);
    private Optional<RunningSequence> open = Optional.empty();
    private Optional<TargetScores> scores = Optional.empty();
    private Optional<Runnable> ending = Optional.empty();
    private OptionalLong started = OptionalLong.empty();
    private Optional<Beginning> beginning = Optional.empty();
    private int shared;
    private long firstToken;
    private long lastToken;
    private int rounds;
    private long drafted;
    private long accepted;

    /// The decoder and the memory for a request.
    ///
    /// @param decoder  decodes it, alone or with others
    /// @param request  in the decoder's form
    /// @param bytes    of caches
    record Plan(Decoder decoder, DecodeRequest request, long bytes) {}

    /// @param scorer the loop's
    Job(
            ServingRequest request,
            Plan plan,
            ServingListener listener,
            Ticker ticker,
            TokenScorer scorer,
            Meter meter) {
        this.request = request;
        this.plan = plan;
        this.listener = listener;
        this.ticker = ticker;
        this.scorer = scorer;
        this.meter = meter;
        this.wantsDrafts = listener.wantsDrafts();
        this.submitted = ticker.nanos();
        this.patience = request.deadline().map(Job::nanos).orElse(Long.MAX_VALUE);
        boolean scored = request.scores().prompt().isPresent();
        this.rows = scored ? Optional.of(this::scorePrompt) : Optional.empty();
        if (scored) {
            promptScores.add(Optional.empty());
        }
    }

    private static long nanos(Duration duration) {
        return duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0
                ? duration.toNanos()
                : Long.MAX_VALUE;
    }

    @Override
    public void cancel() {
        cancelled = true;
    }

    @Override
    public CompletableFuture<Completion> completion() {
        return completion.copy();
    }

    ServingRequest request() {
        return request;
    }

    long bytes() {
        return plan.bytes();
    }

    /// Returns the reason why it has to end before its text is complete.
    Optional<Reason> interruption() {
        if (cancelled) {
            return Optional.of(Reason.CANCELLED);
        }
        return ticker.nanos() - submitted >= patience
                ? Optional.of(Reason.DEADLINE)
                : Optional.empty();
    }

    /// Opens its sessions. If its prompt is scored, it shares no prefix.
    void start(Beginnings beginnings) {
        started = OptionalLong.of(ticker.nanos());
        tell(ServingListener::onStarted);
        var sampling = request.sampling();
        var streams = new KeyedRandomStreams(sampling.seed(), sampling.sequence());
        attempt(() ->
                open =
                        Optional.of(
                                plan.decoder()
                                        .open(plan.request(), RandomnessSource.of(streams), this)));
        if (rows.isEmpty()) {
            var states = plan.decoder().drafter().map(Drafter::hiddenStates).orElse(Set.of());
            attempt(() -> beginning = beginnings.of(plan.request().prompt(), states));
        }
    }

    /// Tokens of the prompt that are not read yet.
    int unread() {
        return sequence().unread() - beginning.map(Beginning::known).orElse(0);
    }

    /// Reads the next part of the prompt; first the part that others share.
    ///
    /// @return whether rounds can begin
    boolean read(int most) {
        int part = most;
        if (beginning.isPresent()) {
            int added = beginning.get().read(most);
            shared -= added; // what it reads itself is not taken over
            part -= added;
            if (part == 0 || !beginning.get().over()) {
                return false;
            }
            int known = beginning.get().known();
            shared = Math.max(0, shared + known);
            meter.looked(request.prompt().ids().size(), shared);
            part += known;
        }
        int before = sequence().unread();
        boolean whole = sequence().prefill(part, rows);
        leave();
        meter.read(before - sequence().unread() + (whole ? 1 : 0));
        if (!whole) {
            return false;
        }
        if (rows.isPresent()) {
            var all = List.copyOf(promptScores);
            tell(each -> each.onPromptScores(all));
        }
        if (request.ending().maxTokens() == 0) {
            finish(Reason.SCORED);
        }
        return !over();
    }

    private void leave() {
        beginning.ifPresent(Beginning::close);
        beginning = Optional.empty();
    }

    private void scorePrompt(int index, MemorySegment logits) {
        int token = request.prompt().ids().get(index);
        int candidates = request.scores().prompt().orElseThrow();
        promptScores.add(Optional.of(scorer.score(logits, token, candidates)));
    }

    /// Runs a step that may fail.
    void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            onFailure(e);
        }
    }

    @Override
    public RunningSequence sequence() {
        return open.orElseThrow();
    }

    @Override
    public void onScores(TargetScores of) {
        scores = Optional.of(of);
    }

    @Override
    public void onEnd(FinishReason why) {
        var generation = sequence().finish(why);
        end(generation, Reason.valueOf(generation.reason().name()));
    }

    /// Ends it with the text so far. [#free] and [#tellEnd] follow.
    void finish(Reason why) {
        if (!over()) {
            var nothing = new Generation(new int[0], "", FinishReason.CANCELLED, 0, List.of());
            end(open.map(each -> each.finish(FinishReason.CANCELLED)).orElse(nothing), why);
        }
    }

    private void end(Generation generation, Reason why) {
        ending = Optional.of(() -> complete(generation, why));
    }

    @Override
    public void onFailure(RuntimeException failure) {
        onFailure((Throwable) failure);
    }

    /// Ends it with a failure, unless it is over.
    void onFailure(Throwable failure) {
        if (!over()) {
            var known = known(failure);
            ending = Optional.of(() -> fail(known));
        }
    }

    private static OutriderException known(Throwable failure) {
        return switch (failure) {
            case OutriderException known -> known;
            case OutOfMemoryError e ->
                    ErrorCode.OUT_OF_MEMORY.error(
                            "memory did not suffice for the request: %s".formatted(e.getMessage()),
                            "Serve fewer requests at a time, or give the process more memory.",
                            e);
            default ->
                    new OutriderException(
                            INTERNAL,
                            "the request failed: %s".formatted(failure),
                            "This is an error in Outrider: please report it.",
                            failure);
        };
    }

    /// Returns whether it takes part in no further step except [#free] and [#tellEnd].
    boolean over() {
        return ending.isPresent();
    }

    /// Closes its sessions.
    void free() {
        attempt(this::leave);
        try {
            open.ifPresent(RunningSequence::close);
        } catch (RuntimeException | Error e) {
            LOG.warn("a session of variant '{}' was not closed", request.variant().name(), e);
        }
        open = Optional.empty();
        meter.served(ticker.nanos() - started.orElse(submitted));
    }

    /// Tells the listener how it ended.
    void tellEnd() {
        ending.orElseThrow().run();
    }

    private void complete(Generation generation, Reason why) {
        long end = ticker.nanos();
        var usage =
                new Usage(
                        request.prompt().ids().size(),
                        Math.max(0, shared),
                        generation.tokens().length,
                        rounds,
                        drafted,
                        accepted,
                        started.orElse(end) - submitted,
                        firstToken,
                        end - submitted);
        var whole =
                new Completion(
                        IntStream.of(generation.tokens()).boxed().toList(),
                        generation.text(),
                        why,
                        usage,
                        List.copyOf(promptScores));
        meter.finished(why, end - submitted);
        passOnText();
        tell(each -> each.onFinished(whole));
        then(() -> completion.complete(whole));
    }

    private void fail(OutriderException failure) {
        meter.failed();
        tell(each -> each.onFailed(failure));
        then(() -> completion.completeExceptionally(failure));
    }

    @Override
    public boolean wantsText() {
        return true;
    }

    /// The listener gets text after the round that the text comes from.
    @Override
    public void onText(String piece) {
        text.append(piece);
    }

    private void passOnText() {
        if (!text.isEmpty()) {
            var piece = text.toString();
            text.setLength(0);
            tell(each -> each.onText(piece));
        }
    }

    @Override
    public void onEvent(DecodeEvent event) {
        if (event instanceof RoundCompleted round) {
            completed(round);
        }
    }

    private void completed(RoundCompleted event) {
        var tree = event.draft().tree();
        int guesses = Math.min(event.emitted(), event.verdict().acceptedLength());
        rounds++;
        drafted += tree.draftedNodes();
        accepted += guesses;
        meter.round(tree.draftedNodes(), guesses, event.emitted());
        time(event.emitted());
        var round =
                new ServedRound(
                        event.round(),
                        emitted(event),
                        tree.draftedNodes(),
                        tree.candidateDepth(),
                        wantsDrafts ? nodes(event) : List.of(),
                        event.times().total());
        scores = Optional.empty();
        tell(each -> each.onRound(round));
        passOnText();
    }

    private void time(int tokens) {
        long now = ticker.nanos();
        if (rounds == 1) {
            firstToken = now - submitted;
            meter.firstToken(firstToken);
        } else {
            meter.later(now - lastToken, tokens);
        }
        lastToken = now;
    }

    private List<Emitted> emitted(RoundCompleted event) {
        var verdict = event.verdict();
        var tree = event.draft().tree();
        int[] tokens = verdict.emitted(tree);
        var emitted = new ArrayList<Emitted>();
        for (int index = 0; index < event.emitted(); index++) {
            int node = index == 0 ? 0 : verdict.acceptedNodes().get(index - 1);
            int token = tokens[index];
            var score =
                    request.scores().emitted().stream()
                            .mapToObj(most -> score(node, token, most))
                            .findFirst();
            boolean guess = index < verdict.acceptedLength();
            var origin = guess ? Origin.ACCEPTED : own(verdict, tree.size() > 1);
            emitted.add(new Emitted(token, origin, score));
        }
        return emitted;
    }

    private TokenScore score(int node, int token, int candidates) {
        return scorer.score(scores.orElseThrow().logits(node), token, candidates);
    }

    private static Origin own(Verdict verdict, boolean guessed) {
        if (!guessed) {
            return Origin.PLAIN;
        }
        return verdict.origin() == Verdict.Origin.BONUS ? Origin.BONUS : Origin.CORRECTION;
    }

    private static List<Node> nodes(RoundCompleted event) {
        var tree = event.draft().tree();
        var path = new HashSet<>(event.verdict().acceptedNodes());
        var nodes = new ArrayList<Node>();
        for (int node = 0; node < tree.size(); node++) {
            nodes.add(
                    new Node(
                            tree.token(node),
                            tree.parent(node),
                            probability(event, node),
                            node == 0 || path.contains(node)));
        }
        return nodes;
    }

    private static OptionalDouble probability(RoundCompleted event, int node) {
        var distributions =
                switch (event.draft().selection()) {
                    case Selection.PointMass() -> Optional.<DraftDistributions>empty();
                    case Selection.Independent(var drawn) -> Optional.of(drawn);
                    case Selection.WithoutReplacement(var drawn) -> Optional.of(drawn);
                };
        var tree = event.draft().tree();
        int parent = tree.parent(node);
        return node > 0 && distributions.filter(each -> each.has(parent)).isPresent()
                ? OptionalDouble.of(distributions.get().row(parent)[tree.token(node)])
                : OptionalDouble.empty();
    }

    /// Calls the listener on a separate thread; a listener that has failed is not called any more.
    private void tell(Consumer<ServingListener> call) {
        then(() -> {
            try {
                if (!deaf) {
                    call.accept(listener);
                }
            } catch (RuntimeException | Error e) {
                LOG.warn("a listener failed: its request is cancelled", e);
                deaf = true;
                cancel();
            }
        });
    }

    /// Runs calls in order, one at a time, on virtual threads. They must not throw.
    private void then(Runnable call) {
        told = told.thenRunAsync(call, Thread::startVirtualThread);
    }
}
