package dev.outrider.engine.check;

import dev.outrider.engine.plugins.PluginContext;
import dev.outrider.spi.Coins;
import dev.outrider.spi.DecodeEvent.PluginFailed;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.HiddenStates;
import dev.outrider.spi.OutriderException;
import dev.outrider.spi.TargetScores;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Calls somebody else's code and makes a failure of whatever goes wrong in it. Confined to one thread.
///
/// Without a deadline calls are made where they are; with one, on a thread that can be left behind.
final class GuardedCalls implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedCalls.class);

    private final Guard guard;
    private final String who;
    private final Consumer<PluginFailed> failures;
    private final Object called;
    private final Optional<Drafter> drafter;
    private final Optional<OwnThread> thread;

    private GuardedCalls(
            Guard guard,
            Object called,
            String who,
            Consumer<PluginFailed> failures,
            Optional<Drafter> drafter,
            Optional<OwnThread> thread) {
        this.guard = guard;
        this.called = called;
        this.who = who;
        this.failures = failures;
        this.drafter = drafter;
        this.thread = thread;
    }

    /// Calls of a part that has no deadline.
    ///
    /// @param called   the guarded part
    /// @param who      how errors call it: `acceptance rule 'token'`
    /// @param failures told about every failure before anything else happens
    static GuardedCalls here(
            Guard guard, Object called, String who, Consumer<PluginFailed> failures) {
        return new GuardedCalls(guard, called, who, failures, Optional.empty(), Optional.empty());
    }

    /// Calls of a drafter and of one of its sessions.
    static GuardedCalls of(Drafter drafter, Guard guard, Consumer<PluginFailed> failures) {
        var who = "drafter '%s'".formatted(Contract.nameOf(drafter));
        var thread =
                guard.left().contains(drafter)
                        ? Optional.<OwnThread>empty()
                        : guard.deadline().map(limit -> new OwnThread(who, limit));
        return new GuardedCalls(
                guard, Contract.original(drafter), who, failures, Optional.of(drafter), thread);
    }

    /// Hidden states as the called may read them during the next call.
    HiddenStates lent(HiddenStates states) {
        return thread.<HiddenStates>map(own -> new LentStates(states, own.loan())).orElse(states);
    }

    /// Scores as the called may read them during the next call.
    TargetScores lent(TargetScores scores) {
        return thread.<TargetScores>map(own -> new LentScores(scores, own.loan())).orElse(scores);
    }

    /// Coins as the called may draw them during the next call.
    Coins lent(Coins coins) {
        return thread.<Coins>map(own -> new LentCoins(coins, own.loan())).orElse(coins);
    }

    /// What a call came to.
    ///
    /// @param result  its result; empty if it threw
    /// @param problem what went wrong; a call that answered too late has a result and a problem
    private record Answer<T>(Optional<T> result, Optional<OutriderException> problem) {}

    /// Calls.
    ///
    /// @param round     number of the round
    /// @param what      what is called, as in "failed in propose"
    /// @param onFailure what to do about a failure, once it was reported, if the request goes on
    /// @return the result; empty if there is none
    /// @throws OutriderException the failure, if the request is to stop
    <T> Optional<T> call(int round, String what, Supplier<T> call, Runnable onFailure) {
        Answer<T> answer = answer(round, what, call);
        if (answer.problem().isPresent()) {
            var problem = answer.problem().get();
            failures.accept(new PluginFailed(round, who, problem.code(), problem.problem()));
            onFailure.run();
            switch (guard.onFailure()) {
                case STOP -> throw problem;
                case PLAIN -> {}
            }
        }
        return answer.result();
    }

    private <T> Answer<T> answer(int round, String what, Supplier<T> call) {
        if (drafter.map(guard.left()::contains).orElse(false)) {
            return new Answer<>(Optional.empty(), Optional.of(leftBefore(round, what)));
        }
        try {
            if (thread.isEmpty()) {
                return new Answer<>(Optional.of(inContext(call)), Optional.empty());
            }
            var answer = thread.get().call(() -> inContext(call));
            return switch (answer.ending()) {
                case IN_TIME -> new Answer<>(Optional.of(resultOf(answer)), Optional.empty());
                case LATE -> new Answer<>(answer.result(), Optional.of(late(round, what)));
                case LEFT -> {
                    drafter.ifPresent(guard.left()::add);
                    yield new Answer<>(Optional.empty(), Optional.of(left(round, what)));
                }
            };
        } catch (Exception
                | LinkageError
                | AssertionError
                | StackOverflowError
                | OutOfMemoryError e) {
            return new Answer<>(Optional.empty(), Optional.of(failure(round, what, e)));
        }
    }

    private <T> T inContext(Supplier<T> call) {
        return Objects.requireNonNull(PluginContext.during(called, call), "returned null");
    }

    /// @throws E whatever the call threw
    @SuppressWarnings("unchecked")
    private static <T, E extends Throwable> T resultOf(OwnThread.Answer<T> answer) throws E {
        if (answer.failure().isPresent()) {
            throw (E) answer.failure().get();
        }
        return answer.result().orElseThrow();
    }

    private OutriderException late(int round, String what) {
        return new OutriderException(
                ErrorCode.PLUGIN_FAILED,
                "%s did not answer in %s of round %d within %s"
                        .formatted(who, what, round, limit()),
                "Raise 'drafterDeadline', or let the request go on with 'onDrafterFailure: plain'.");
    }

    private OutriderException left(int round, String what) {
        return new OutriderException(
                ErrorCode.PLUGIN_FAILED,
                "%s did not answer in %s of round %d within %s, nor within %s after it was interrupted; its thread was left behind"
                        .formatted(who, what, round, limit(), limit()),
                "Report it to whoever wrote it: its thread goes on using a core until the process ends.");
    }

    private OutriderException leftBefore(int round, String what) {
        return new OutriderException(
                ErrorCode.PLUGIN_FAILED,
                "%s was not asked to %s in round %d: it did not come back from an earlier call of this run"
                        .formatted(who, what, round),
                "Report it to whoever wrote it; 'onDrafterFailure: plain' goes on without it.");
    }

    private Duration limit() {
        return guard.deadline().orElseThrow();
    }

    private OutriderException failure(int round, String what, Throwable cause) {
        return cause instanceof OutriderException known
                ? known
                : new OutriderException(
                        ErrorCode.PLUGIN_FAILED,
                        "%s failed in %s of round %d: %s".formatted(who, what, round, cause),
                        "Report it to whoever wrote it; with 'onDrafterFailure: plain' requests go on without it.",
                        cause);
    }

    /// Has the called free what it holds. It gets its deadline for that, and nobody hears of a failure but the log; if it was
    /// left behind, its own thread does it should it ever come back.
    void release(Runnable free) {
        if (thread.isEmpty()) {
            quietly(free);
        } else if (thread.get().left()) {
            thread.get().afterwards(() -> quietly(free));
        } else {
            var answer =
                    thread.get()
                            .call(() -> {
                                quietly(free);
                                return true;
                            });
            if (answer.ending() == OwnThread.Ending.LEFT) {
                LOG.warn("{} did not come back from closing its session after a failure", who);
                drafter.ifPresent(guard.left()::add);
            }
        }
    }

    private void quietly(Runnable free) {
        try {
            PluginContext.during(
                    called,
                    () -> {
                        free.run();
                        return true;
                    });
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            LOG.debug("{} failed to close its session after another failure", who, e);
        }
    }

    @Override
    public void close() {
        thread.ifPresent(OwnThread::close);
    }
}
