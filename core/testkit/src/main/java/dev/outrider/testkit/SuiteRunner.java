package dev.outrider.testkit;

import dev.outrider.common.Require;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.run.RunListener;
import dev.outrider.spi.target.LogitsProcessor;
import dev.outrider.spi.target.TargetModel;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Runs the conformance suites outside a test framework, for third-party jars. The checks are the same methods
/// that JUnit runs in [DrafterConformance], [AcceptanceRuleConformance] and their like.
///
/// A check that does not end in time is undecided, whether it hangs or is slow; its thread is interrupted, or left behind
/// as a daemon. The other checks still run, until three have not ended.
///
/// @param limit   longest time for one check
/// @param waiting waits for the thread of a check
public record SuiteRunner(Duration limit, Waiting waiting) {
    private static final int MAX_LATE = 3;
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);

    /// Checks the limit.
    public SuiteRunner {
        Require.that(limit.isPositive(), "limit %s is not positive", limit);
    }

    /// Waits by the clock.
    ///
    /// @param limit longest time of a check
    public SuiteRunner(Duration limit) {
        this(limit, Thread::join);
    }

    /// The way to wait for checks.
    @FunctionalInterface
    public interface Waiting {
        /// Returns whether the thread has ended; waits for it.
        ///
        /// @param check the thread of a check
        /// @param most  longest time to wait
        /// @return whether it has ended
        /// @throws InterruptedException if the waiting thread is interrupted
        boolean ended(Thread check, Duration most) throws InterruptedException;
    }

    /// The outcome of one check.
    public enum Outcome {
        /// The contract is kept.
        KEPT,
        /// The contract is broken; the detail says where.
        BROKEN,
        /// It did not end in time, so the outcome is not known.
        UNDECIDED,
        /// It did not end even after an interrupt. Its thread was left behind and may still use the plugin.
        HUNG,
        /// It does not apply to the tested component.
        SKIPPED
    }

    /// One check and its result.
    ///
    /// @param check     name of the check: a method of the suite
    /// @param outcome of the check
    /// @param detail  reason of a failure or of a skip; empty if it holds
    public record Result(String check, Outcome outcome, String detail) {}

    /// Runs all checks of a drafter with one target.
    ///
    /// @param target    the target, which stays the caller's to close
    /// @param drafter   the drafter, which stays the caller's to close
    /// @param learns    whether its drafts depend on more than the committed tokens and the randomness
    /// @param tolerance largest difference between distributions that should be equal
    /// @return results in order of the checks' names
    public List<Result> ofDrafter(
            TargetModel target, Drafter drafter, boolean learns, double tolerance) {
        return run(
                DrafterConformance.class,
                drafter,
                new DrafterConformance() {
                    @Override
                    protected TargetModel target() {
                        return target;
                    }

                    @Override
                    protected Drafter drafter() {
                        return drafter;
                    }

                    @Override
                    protected boolean dependsOnHistoryOnly() {
                        return !learns;
                    }

                    @Override
                    protected double distributionTolerance() {
                        return tolerance;
                    }
                });
    }

    /// Runs all checks of an acceptance rule.
    ///
    /// @param rule the rule under test
    /// @return results in order of the checks' names
    public List<Result> ofRule(AcceptanceRule rule) {
        return run(
                AcceptanceRuleConformance.class,
                rule,
                new AcceptanceRuleConformance() {
                    @Override
                    protected AcceptanceRule rule() {
                        return rule;
                    }
                });
    }

    /// Runs all checks of a logits processor.
    ///
    /// @param processor  the processor under test
    /// @param vocabulary number of tokens of the target it was made for
    /// @return results in order of the checks' names
    public List<Result> ofProcessor(LogitsProcessor processor, int vocabulary) {
        return run(
                LogitsProcessorConformance.class,
                processor,
                new LogitsProcessorConformance() {
                    @Override
                    protected LogitsProcessor processor() {
                        return processor;
                    }

                    @Override
                    protected int vocabulary() {
                        return vocabulary;
                    }
                });
    }

    /// Runs all checks of a draft-length policy.
    ///
    /// @param plugin the factory, or any other object of the plugin
    /// @param start  starts policies
    /// @return results in order of the checks' names
    public List<Result> ofDraftLengths(Object plugin, Supplier<DraftLengthPolicy> start) {
        return run(
                DraftLengthPolicyConformance.class,
                plugin,
                new DraftLengthPolicyConformance() {
                    @Override
                    protected DraftLengthPolicy start() {
                        return start.get();
                    }
                });
    }

    /// Runs all checks of a listener to runs.
    ///
    /// @param plugin the factory, or any other object of the plugin
    /// @param open   opens listeners whose files go to a folder
    /// @return results in order of the checks' names
    public List<Result> ofListener(Object plugin, Function<Path, RunListener> open) {
        return run(
                RunListenerConformance.class,
                plugin,
                new RunListenerConformance() {
                    @Override
                    protected RunListener open(Path folder) {
                        return open.apply(folder);
                    }
                });
    }

    /// Closes a drafter twice, as it must allow.
    ///
    /// @param drafter closed, unless it hangs
    /// @return whether it closed in time and without an error
    public Result closing(Drafter drafter) {
        return run(
                "theDrafterCloses",
                drafter,
                () -> {
                    drafter.close();
                    drafter.close();
                    return new Result("theDrafterCloses", Outcome.KEPT, "");
                });
    }

    private List<Result> run(Class<?> suite, Object plugin, Object tested) {
        var checks =
                Stream.<Class<?>>iterate(suite, Objects::nonNull, Class::getSuperclass)
                        .flatMap(part -> Arrays.stream(part.getDeclaredMethods()))
                        .filter(method -> method.isAnnotationPresent(Check.class))
                        .sorted(Comparator.comparing(Method::getName))
                        .toList();
        var results = new ArrayList<Result>();
        int late = 0;
        for (var check : checks) {
            var result =
                    late < MAX_LATE
                            ? run(check.getName(), plugin, call(check, tested))
                            : new Result(
                                    check.getName(),
                                    Outcome.UNDECIDED,
                                    "not tried, for %d checks did not end".formatted(late));
            results.add(result);
            late += isLate(result) && late < MAX_LATE ? 1 : 0;
        }
        return results;
    }

    private static boolean isLate(Result result) {
        return result.outcome() == Outcome.UNDECIDED || result.outcome() == Outcome.HUNG;
    }

    /// Threads that a plugin starts inherit its class loader from the check's.
    private Result run(String check, Object plugin, Callable<Result> work) {
        var task = new FutureTask<>(work);
        var thread = new Thread(task, "check " + check);
        thread.setDaemon(true);
        thread.setContextClassLoader(plugin.getClass().getClassLoader());
        thread.start();
        try {
            if (!waiting.ended(thread, limit)) {
                thread.interrupt();
                return late(check, thread);
            }
            return task.get();
        } catch (ExecutionException e) {
            return broken(check, e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Result(check, Outcome.SKIPPED, "interrupted");
        }
    }

    private Result late(String check, Thread thread) {
        var late = "did not end within %.1f s".formatted(limit.toNanos() / 1e9);
        try {
            return waiting.ended(thread, AFTER_INTERRUPT)
                    ? new Result(check, Outcome.UNDECIDED, late)
                    : new Result(check, Outcome.HUNG, late + ", nor when it was interrupted");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Result(check, Outcome.HUNG, late);
        }
    }

    private static Callable<Result> call(Method check, Object tested) {
        return () -> {
            try {
                check.invoke(tested);
                return new Result(check.getName(), Outcome.KEPT, "");
            } catch (InvocationTargetException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                return Expect.isSkip(cause)
                        ? new Result(check.getName(), Outcome.SKIPPED, message(cause))
                        : broken(check.getName(), cause);
            }
        };
    }

    private static Result broken(String check, Throwable cause) {
        return new Result(check, Outcome.BROKEN, message(cause));
    }

    private static String message(Throwable cause) {
        var message = String.valueOf(cause.getMessage()).strip();
        return cause instanceof AssertionError || Expect.isSkip(cause)
                ? message
                : cause instanceof OutriderException ? message : cause.toString();
    }
}
