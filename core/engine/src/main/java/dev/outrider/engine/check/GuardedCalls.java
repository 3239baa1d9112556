package dev.outrider.engine.check;

import dev.outrider.engine.check.Watchdog.Watch;
import dev.outrider.spi.DecodeEvent.PluginFailed;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Calls somebody else's code and makes a failure of whatever goes wrong in it. Confined to one thread.
final class GuardedCalls implements AutoCloseable {
    private final Guard guard;
    private final String who;
    private final Consumer<PluginFailed> failures;
    private final Optional<Watchdog> watchdog;

    /// @param who      the guarded part, as errors call it: `drafter 'EagleDrafter'`
    /// @param failures told about every failure before anything else happens
    GuardedCalls(Guard guard, String who, Consumer<PluginFailed> failures) {
        this.guard = guard;
        this.who = who;
        this.failures = failures;
        this.watchdog = guard.deadline().map(Watchdog::new);
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
        Optional<Watch> watch = watchdog.map(Watchdog::watch);
        try {
            var result = Optional.of(Objects.requireNonNull(call.get(), "returned null"));
            return ended(watch)
                    ? new Answer<>(result, Optional.of(late(round, what)))
                    : new Answer<>(result, Optional.empty());
        } catch (Exception
                | LinkageError
                | AssertionError
                | StackOverflowError
                | OutOfMemoryError e) {
            var problem = ended(watch) ? late(round, what) : failure(round, what, e);
            return new Answer<>(Optional.empty(), Optional.of(problem));
        }
    }

    private static boolean ended(Optional<Watch> watch) {
        return watch.map(Watch::end).orElse(false);
    }

    private OutriderException late(int round, String what) {
        return new OutriderException(
                ErrorCode.PLUGIN_FAILED,
                "%s did not answer in %s of round %d within %s"
                        .formatted(who, what, round, guard.deadline().orElseThrow()),
                "Raise 'drafterDeadline', or let the request go on with 'onDrafterFailure: plain'.");
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

    @Override
    public void close() {
        watchdog.ifPresent(Watchdog::close);
    }
}
