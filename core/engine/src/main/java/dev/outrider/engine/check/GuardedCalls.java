package dev.outrider.engine.check;

import dev.outrider.engine.plugins.PluginContext;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent.PluginFailed;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Calls foreign code and turns every error in it into a failure. Confined to one thread.
///
/// @param called   the guarded part
/// @param label      how errors call it: `acceptance rule 'token'`
/// @param failures told about every failure before anything else happens
record GuardedCalls(
        OnFailure onFailure, Object called, String label, Consumer<PluginFailed> failures) {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedCalls.class);

    /// Calls of a drafter and of one of its sessions.
    static GuardedCalls of(Drafter drafter, OnFailure onFailure, Consumer<PluginFailed> failures) {
        var label = "drafter '%s'".formatted(Contract.nameOf(drafter));
        return new GuardedCalls(onFailure, drafter, label, failures);
    }

    /// Calls.
    ///
    /// @param round   number of the round
    /// @param what    what is called, as in "failed in propose"
    /// @param abandon what to do about a failure, once it was reported, whether or not the request goes on
    /// @return the result; empty if there is none
    /// @throws OutriderException the failure, if the request is to stop
    <T> Optional<T> call(int round, String what, Supplier<T> call, Runnable abandon) {
        try {
            return Optional.of(
                    Objects.requireNonNull(PluginContext.during(called, call), "returned null"));
        } catch (Exception | Error e) {
            var problem = failure(round, what, e);
            failures.accept(new PluginFailed(round, label, problem.code(), problem.problem()));
            abandon.run();
            return switch (onFailure) {
                case STOP -> throw problem;
                case PLAIN -> Optional.empty();
            };
        }
    }

    private OutriderException failure(int round, String what, Throwable cause) {
        return cause instanceof OutriderException known
                ? known
                : ErrorCode.PLUGIN_FAILED.error(
                        "%s failed in %s of round %d: %s".formatted(label, what, round, cause),
                        "Report it to its author; with 'onDrafterFailure: plain' requests go on without it.",
                        cause);
    }

    /// Lets the called part free its resources. A failure goes to the log only.
    void release(Runnable free) {
        try {
            PluginContext.during(
                    called,
                    () -> {
                        free.run();
                        return true;
                    });
        } catch (Exception | Error e) {
            LOG.debug("{} failed to close its session after another failure", label, e);
        }
    }
}
