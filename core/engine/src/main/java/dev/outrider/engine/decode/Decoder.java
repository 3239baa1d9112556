package dev.outrider.engine.decode;

import dev.outrider.common.Ticker;
import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.check.GuardedSession;
import dev.outrider.engine.check.OnFailure;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeEvent.TargetPass;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.Capabilities;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.Verdict;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Generates sequences with a target, perhaps a drafter, and a rule that decides between them.
///
/// Thread-safe: every call opens sessions of its own. Exactness of the pairing is not checked here but when
/// a configuration is read, by [dev.outrider.engine.check.Compatibility].
///
/// @param target  the model whose distribution the output follows
/// @param drafter makes the guesses; empty is plain decoding
/// @param rule    how guesses are judged; at temperature 0 [GreedyRule] replaces any lossless one
/// @param lengths how many tokens to draft in each round
/// @param checked whether drafts and verdicts are checked against their contract in every round
/// @param ticker  clock of the stage times
/// @param onFailure the consequence for a request whose drafter or rule fails
/// @param processors what is done to the target's logits before a policy makes a distribution of them
public record Decoder(
        TargetModel target,
        Optional<Drafter> drafter,
        AcceptanceRule rule,
        DraftLengthPlan lengths,
        boolean checked,
        Ticker ticker,
        OnFailure onFailure,
        ProcessorChain processors) {
    /// A decoder whose requests end when their drafter or rule fails.
    public Decoder(
            TargetModel target,
            Optional<Drafter> drafter,
            AcceptanceRule rule,
            DraftLengthPlan lengths,
            boolean checked,
            Ticker ticker) {
        this(
                target,
                drafter,
                rule,
                lengths,
                checked,
                ticker,
                OnFailure.STOP,
                ProcessorChain.none());
    }

    /// The same decoder with another rule.
    public Decoder withRule(AcceptanceRule other) {
        return new Decoder(target, drafter, other, lengths, checked, ticker, onFailure, processors);
    }

    /// The same decoder with another drafter and other draft lengths.
    public Decoder withDrafting(Optional<Drafter> other, DraftLengthPlan otherLengths) {
        return new Decoder(
                target, other, rule, otherLengths, checked, ticker, onFailure, processors);
    }

    /// The same decoder with other processors.
    public Decoder withProcessors(ProcessorChain others) {
        return new Decoder(target, drafter, rule, lengths, checked, ticker, onFailure, others);
    }

    /// The same decoder with another handling of failures.
    public Decoder withOnFailure(OnFailure other) {
        return new Decoder(target, drafter, rule, lengths, checked, ticker, other, processors);
    }

    /// Plain decoding: one token a target pass.
    public static Decoder plain(TargetModel target, AcceptanceRule rule, Ticker ticker) {
        return new Decoder(target, Optional.empty(), rule, new FixedLength(0), false, ticker);
    }

    /// Generates one sequence.
    ///
    /// @param randomness     the randomness of each round
    /// @param listener  told about rounds and text as they come
    /// @param cancelled asked before every round; once it is true the sequence ends
    /// @throws OutriderException as [RequestLimits#require], and what target and drafter throw
    public Generation decode(
            DecodeRequest request,
            RandomnessSource randomness,
            DecodeListener listener,
            BooleanSupplier cancelled) {
        try (var open = open(request, randomness, listener)) {
            open.prefill();
            while (true) {
                if (cancelled.getAsBoolean()) {
                    return open.finish(FinishReason.CANCELLED);
                }
                var proposed = open.propose();
                int rows = proposed.tree().size();
                long start = ticker.nanos();
                try (var scores = proposed.session().score(proposed.tree())) {
                    var pass = new TargetPass(rows, 1, ticker.nanos() - start);
                    var reason = open.settle(scores, pass);
                    if (reason.isPresent()) {
                        return open.finish(reason.get());
                    }
                }
            }
        }
    }

    /// Opens the sessions of a sequence, for a caller that runs the steps which [#decode] would run. The caller closes it.
    ///
    /// @throws OutriderException as [RequestLimits#require], and what target and drafter throw
    public RunningSequence open(
            DecodeRequest request, RandomnessSource randomness, DecodeListener listener) {
        int longest = request.prompt().length + request.maxTokens();
        var targetSession = openTarget(request, capacity(longest));
        try {
            var draftSession = openDrafting(request, listener, targetSession::capability);
            try {
                var sequence =
                        new DecodedSequence(
                                this,
                                ruleFor(request.policy()),
                                request,
                                targetSession,
                                draftSession,
                                randomness,
                                listener);
                return new RunningSequence(targetSession, draftSession, sequence);
            } catch (RuntimeException | Error e) {
                draftSession.close();
                throw e;
            }
        } catch (RuntimeException | Error e) {
            targetSession.close();
            throw e;
        }
    }

    /// [#decode(DecodeRequest, RandomnessSource, DecodeListener, BooleanSupplier)] without a listener and without cancellation.
    public Generation decode(DecodeRequest request, RandomnessSource randomness) {
        return decode(request, randomness, DecodeListener.none(), () -> false);
    }

    /// The rule that decides under a policy.
    public AcceptanceRule ruleFor(SamplingPolicy policy) {
        return policy.greedy() && rule.traits().lossless() ? new GreedyRule() : rule;
    }

    /// Opens the target's session of a sequence. The caller closes it.
    ///
    /// @param capacity cache rows
    /// @throws OutriderException as [RequestLimits#require], and what the target throws
    public TargetSession openTarget(DecodeRequest request, int capacity) {
        RequestLimits.require(target.description(), request);
        return target.open(new SessionRequest(capacity, hiddenStates(), request.source()));
    }

    /// Opens a session of the drafter; one that proposes nothing if there is none. The caller closes it.
    ///
    /// @param listener told about failures
    /// @param offered  the capabilities that the target's session offers, and the `OperatorChain` that it samples with
    public DraftSession openDrafting(
            DecodeRequest request, DecodeListener listener, Capabilities offered) {
        if (drafter.isEmpty()) {
            return new IdleDraftSession();
        }
        return new GuardedSession(
                drafter.get(),
                new DraftRequest(
                        request.prompt().length + request.maxTokens(),
                        request.policy(),
                        request.source(),
                        withOperators(offered)),
                target.description().vocabularySize(),
                checked,
                onFailure,
                listener::onEvent);
    }

    private Capabilities withOperators(Capabilities offered) {
        var operators = processors.operators();
        return operators.isEmpty()
                ? offered
                : new Capabilities() {
                    @Override
                    public <T> Optional<T> capability(Class<T> type) {
                        return type.isInstance(operators)
                                ? Optional.of(type.cast(operators))
                                : offered.capability(type);
                    }
                };
    }

    /// Returns the cache rows for the longest sequence and a whole draft at its end, limited by the model's positions.
    ///
    /// @param longest tokens of the sequence
    public int capacity(int longest) {
        int nodes = drafter.map(each -> each.traits().maxNodes()).orElse(0);
        return (int) Math.min(target.description().maxPositions(), (long) longest + nodes);
    }

    /// Returns the states of the target that drafting needs.
    Set<HiddenState> hiddenStates() {
        return drafter.map(Drafter::hiddenStates).orElse(Set.of());
    }

    /// Never proposes anything: plain decoding is the loop with this drafter.
    private static final class IdleDraftSession implements DraftSession {
        private int root;

        @Override
        public void begin(int[] prompt, HiddenStates promptStates) {
            root = prompt[prompt.length - 1];
        }

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            return Draft.empty(root);
        }

        @Override
        public void observe(Draft draft, Verdict verdict, TargetScores scores) {
            root = verdict.nextToken();
        }

        @Override
        public void close() {}
    }
}
