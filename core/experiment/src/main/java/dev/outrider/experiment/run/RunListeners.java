package dev.outrider.experiment.run;

import dev.outrider.config.Component;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.engine.plugins.PluginContext;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.run.RunListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/// The listeners of a run, in the order of its configuration. A failure of one ends the run, as `PLUGIN_FAILED` with its name unless it has
/// a code of its own, because results that a listener has not followed to the end are not complete.
///
/// Thread-safe. Owns the listeners.
public final class RunListeners implements AutoCloseable {
    private final List<Open> open = new ArrayList<>();
    private final AtomicReference<Optional<OutriderException>> failure =
            new AtomicReference<>(Optional.empty());

    private record Open(String name, RunListener listener) {}

    private RunListeners() {}

    /// Returns no listeners.
    public static RunListeners none() {
        return new RunListeners();
    }

    /// Starts all of them.
    ///
    /// @param folder the folder of the run's results
    /// @throws OutriderException what a listener throws of these, else `PLUGIN_FAILED`; those already open are closed
    public static RunListeners open(List<Component<RunListener.Factory<?>>> chosen, Path folder) {
        var listeners = new RunListeners();
        try {
            for (var each : chosen) {
                var listener =
                        listeners.call(
                                each.use(),
                                "open",
                                each.factory(),
                                () -> Factories.listener(each.factory(), each.config(), folder));
                listeners.open.add(new Open(each.use(), listener));
            }
            return listeners;
        } catch (OutriderException e) {
            throw listeners.closed(Optional.of(e)).orElse(e);
        }
    }

    /// Returns a listener that calls the given one first and all of these after it.
    DecodeListener following(DecodeListener first, RunListener.Sequence sequence) {
        var all = first;
        for (var each : open) {
            requireWorking();
            var follower =
                    call(
                            each.name(),
                            "begin",
                            each.listener(),
                            () -> each.listener().begin(sequence));
            all = all.and(new Guarded(each, follower));
        }
        return all;
    }

    /// @throws OutriderException the first failure of a listener, if there was one
    void requireWorking() {
        var failed = failure.get();
        if (failed.isPresent()) {
            throw failed.get();
        }
    }

    private <T> T call(String name, String what, Object called, Supplier<T> call) {
        try {
            return Objects.requireNonNull(PluginContext.during(called, call), "returned null");
        } catch (Exception | Error e) {
            var failed =
                    e instanceof OutriderException known
                            ? known
                            : ErrorCode.PLUGIN_FAILED.error(
                                    "listener '%s' failed in %s: %s".formatted(name, what, e),
                                    "Report it to its author, or leave it out of 'listeners'.",
                                    e);
            failure.compareAndSet(Optional.empty(), Optional.of(failed));
            throw failed;
        }
    }

    private void run(Open each, String what, Runnable call) {
        call(
                each.name(),
                what,
                each.listener(),
                () -> {
                    call.run();
                    return true;
                });
    }

    /// Closes all, last-in first-out, even if closing one of them fails.
    ///
    /// @throws OutriderException the first failure to close
    @Override
    public void close() {
        var failed = closed(Optional.empty());
        if (failed.isPresent()) {
            throw failed.get();
        }
    }

    /// Closes all.
    ///
    /// @param earlier failure, to which those of closing are added
    /// @return the first failure, if there was one
    private Optional<OutriderException> closed(Optional<OutriderException> earlier) {
        var first = earlier;
        for (var each : open.reversed()) {
            try {
                run(each, "close", each.listener()::close);
            } catch (OutriderException e) {
                // A listener may throw the same exception several times, and an exception cannot
                // suppress itself.
                first.filter(before -> before != e).ifPresent(before -> before.addSuppressed(e));
                first = first.or(() -> Optional.of(e));
            }
        }
        open.clear();
        return first;
    }

    /// Calls a listener of one sequence and reports its failures.
    private final class Guarded implements DecodeListener {
        private final Open owner;
        private final DecodeListener follower;

        Guarded(Open owner, DecodeListener follower) {
            this.owner = owner;
            this.follower = follower;
        }

        @Override
        public void onEvent(DecodeEvent event) {
            requireWorking();
            run(owner, "onEvent", () -> follower.onEvent(event));
        }

        @Override
        public void onText(String text) {
            requireWorking();
            run(owner, "onText", () -> follower.onText(text));
        }

        @Override
        public boolean wantsText() {
            requireWorking();
            return call(owner.name(), "wantsText", follower, follower::wantsText);
        }
    }
}
