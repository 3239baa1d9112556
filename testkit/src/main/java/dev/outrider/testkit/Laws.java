package dev.outrider.testkit;

import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.OutriderException;
import dev.outrider.spi.TargetModel;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/// Runs the conformance suites outside a test framework, for jars that somebody else compiled. The laws are the very methods
/// that JUnit runs in [DrafterConformance] and [AcceptanceRuleConformance].
///
/// A law that does not end in time counts as broken; the thread it hangs in is interrupted and left behind as a daemon.
///
/// @param limit longest time for one law
public record Laws(Duration limit) {
    /// Checks the limit.
    public Laws {
        if (!limit.isPositive()) {
            throw new IllegalArgumentException("limit %s is not positive".formatted(limit));
        }
    }

    /// What came of one law.
    public enum Outcome {
        /// It holds.
        KEPT,
        /// It does not; the detail says where.
        BROKEN,
        /// It does not apply to what was tested.
        SKIPPED
    }

    /// One law and what came of it.
    ///
    /// @param law     name of the law: a method of the suite
    /// @param outcome whether it holds
    /// @param detail  why not, or why it was skipped; empty if it holds
    public record Result(String law, Outcome outcome, String detail) {}

    /// Everything a drafter must do, on one target.
    ///
    /// @param target    the target, which stays the caller's to close
    /// @param drafter   the drafter, which stays the caller's to close
    /// @param learns    whether its drafts depend on more than the committed tokens and the coins
    /// @param tolerance largest difference between laws that should be equal
    /// @return results in order of the laws' names
    public List<Result> ofDrafter(
            TargetModel target, Drafter drafter, boolean learns, double tolerance) {
        return run(
                DrafterConformance.class,
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
                    protected double lawTolerance() {
                        return tolerance;
                    }
                });
    }

    /// Everything an acceptance rule must do.
    ///
    /// @param rule the rule under test
    /// @return results in order of the laws' names
    public List<Result> ofRule(AcceptanceRule rule) {
        return run(
                AcceptanceRuleConformance.class,
                new AcceptanceRuleConformance() {
                    @Override
                    protected AcceptanceRule rule() {
                        return rule;
                    }
                });
    }

    private List<Result> run(Class<?> suite, Object tested) {
        return Arrays.stream(suite.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .sorted(Comparator.comparing(Method::getName))
                .map(method -> run(method, tested))
                .toList();
    }

    private Result run(Method law, Object tested) {
        var task = new FutureTask<>(call(law, tested));
        var thread = new Thread(task, "law " + law.getName());
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            thread.interrupt();
            return new Result(
                    law.getName(),
                    Outcome.BROKEN,
                    "did not end within %.0f s".formatted(limit.toNanos() / 1e9));
        } catch (ExecutionException e) {
            return broken(law, e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Result(law.getName(), Outcome.SKIPPED, "interrupted");
        }
    }

    private static Callable<Result> call(Method law, Object tested) {
        return () -> {
            try {
                law.invoke(tested);
                return new Result(law.getName(), Outcome.KEPT, "");
            } catch (InvocationTargetException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                return cause instanceof TestAbortedException
                        ? new Result(law.getName(), Outcome.SKIPPED, message(cause))
                        : broken(law, cause);
            }
        };
    }

    private static Result broken(Method law, Throwable cause) {
        return new Result(law.getName(), Outcome.BROKEN, message(cause));
    }

    private static String message(Throwable cause) {
        var message = String.valueOf(cause.getMessage()).strip();
        return cause instanceof AssertionError || cause instanceof TestAbortedException
                ? message
                : cause instanceof OutriderException ? message : cause.toString();
    }
}
