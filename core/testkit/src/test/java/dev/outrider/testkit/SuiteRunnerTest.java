package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.SuiteRunner.Outcome;
import dev.outrider.testkit.SuiteRunner.Result;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Drafters that do not come back. Time is up when the drafter says that it waits.
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SuiteRunnerTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final TableModel TABLE = TableModel.random(3, DistributionStyle.DENSE, 5);
    private static final TargetModel TARGET = TableTarget.of(TABLE);
    private static final Drafter HONEST = new TableDrafter(TABLE, new TreePlan.Chain(2), Toy.PLAIN);

    private final CountDownLatch end = new CountDownLatch(1);
    private final Map<Thread, Semaphore> checks = new ConcurrentHashMap<>();
    private final SuiteRunner suites = new SuiteRunner(LIMIT, this::ended);

    @AfterEach
    void endThem() throws InterruptedException {
        end.countDown();
        for (var check : checks.keySet()) {
            check.join();
        }
    }

    @Test
    void aDrafterThatEndsInTimeIsNeverLate() {
        assertThat(suites.ofDrafter(TARGET, HONEST, false, 1e-12))
                .extracting(Result::outcome)
                .containsOnly(Outcome.KEPT, Outcome.SKIPPED);
        assertThat(suites.closing(HONEST).outcome()).isEqualTo(Outcome.KEPT);
    }

    @Test
    void aDrafterThatEndsWhenItIsInterruptedIsUndecided() {
        var results = suites.ofDrafter(TARGET, hanging(this::hang), false, 1e-12);

        assertThreeAreLate(results, Outcome.UNDECIDED, "did not end within 10.0 s");
    }

    @Test
    void aDrafterThatIgnoresInterruptsHangs() {
        var results = suites.ofDrafter(TARGET, hanging(this::hangOn), false, 1e-12);

        assertThreeAreLate(
                results, Outcome.HUNG, "did not end within 10.0 s, nor when it was interrupted");
    }

    @Test
    void closingADrafterThatDoesNotCloseIsLate() {
        assertThat(suites.closing(closing(this::hang)))
                .isEqualTo(
                        new Result(
                                "theDrafterCloses",
                                Outcome.UNDECIDED,
                                "did not end within 10.0 s"));
        assertThat(suites.closing(closing(this::hangOn)))
                .isEqualTo(
                        new Result(
                                "theDrafterCloses",
                                Outcome.HUNG,
                                "did not end within 10.0 s, nor when it was interrupted"));
    }

    private static void assertThreeAreLate(List<Result> results, Outcome outcome, String detail) {
        var late = results.stream().filter(result -> result.outcome() == outcome).toList();

        assertThat(late.subList(0, 3)).extracting(Result::detail).containsOnly(detail);
        assertThat(results.subList(results.indexOf(late.get(2)) + 1, results.size()))
                .isNotEmpty()
                .allSatisfy(result -> {
                    assertThat(result.outcome()).isEqualTo(Outcome.UNDECIDED);
                    assertThat(result.detail()).isEqualTo("not tried, for 3 checks did not end");
                });
        assertThat(results.subList(0, results.indexOf(late.get(2))))
                .filteredOn(result -> !late.contains(result))
                .extracting(Result::outcome)
                .isSubsetOf(Outcome.KEPT, Outcome.SKIPPED);
    }

    private boolean ended(Thread check, Duration most) throws InterruptedException {
        assertThat(most).isPositive();
        while (!waits(check).tryAcquire()) {
            if (check.join(Duration.ofMillis(5))) {
                return true;
            }
        }
        return false;
    }

    /// Permits for the times that the thread said that it waits.
    private Semaphore waits(Thread check) {
        return checks.computeIfAbsent(check, _ -> new Semaphore(0));
    }

    private void hang() {
        waits(Thread.currentThread()).release();
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void hangOn() {
        while (end.getCount() > 0) {
            waits(Thread.currentThread()).release();
            try {
                end.await();
            } catch (InterruptedException e) {
                // It waits again.
            }
        }
    }

    private static Drafter hanging(Runnable hang) {
        return new WrappedDrafter(
                HONEST,
                session ->
                        new WrappedDrafter.Session(session) {
                            @Override
                            public Draft propose(DraftBudget budget, Randomness randomness) {
                                if (Thread.currentThread().getName().startsWith("check ")) {
                                    hang.run();
                                }
                                return super.propose(budget, randomness);
                            }
                        });
    }

    private static Drafter closing(Runnable hang) {
        return new WrappedDrafter(HONEST, UnaryOperator.identity()) {
            @Override
            public void close() {
                hang.run();
            }
        };
    }
}
