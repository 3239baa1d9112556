package dev.outrider.engine.decode;

import dev.outrider.engine.acceptance.RegisteredRules;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.StreamRandomness;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/// Measures the cost of a rule's decision per round, distributions included: 131,072 tokens,
/// temperature 1, top-p .9. Not part of the build's tests; `docs/results/performance.md` has a
/// table of [RuleCost].
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx2g", "-XX:+UseSerialGC"})
public class RuleBenchmark {
    /// Prepared rounds, the same in every run, decided in turn.
    @State(Scope.Benchmark)
    public static class Rounds {
        /// A registered rule.
        @Param({
            "greedy",
            "token",
            "sample-and-match",
            "gumbel-coupled",
            "block",
            "multi-step",
            "k-seq",
            "without-replacement",
            "traversal",
            "typical",
            "lenience",
            "relaxed-top-k"
        })
        public String rule = "";

        /// Drafted nodes.
        @Param({"8", "64"})
        public int nodes;

        private final List<PreparedRounds.Prepared> rounds = new ArrayList<>();
        private Optional<AcceptanceRule> decides = Optional.empty();
        private Optional<LazyDistributions> distributions = Optional.empty();
        private int next;

        /// Draws the drafts.
        @Setup
        public void prepare() {
            var made = RegisteredRules.named(rule);
            rounds.addAll(new PreparedRounds().of(made, nodes));
            decides = Optional.of(made);
            distributions = Optional.of(rounds.getFirst().distributions());
        }

        Verdict decideNext() {
            int round = next++;
            var prepared = rounds.get(round % rounds.size());
            var target = distributions.orElseThrow();
            target.next(prepared.scores(), prepared.draft().tree(), TokenHistory.of(0));
            var randomness = new StreamRandomness(new KeyedRandomStreams(1, 1), round);
            return decides.orElseThrow().decide(prepared.draft(), target, randomness);
        }
    }

    /// One decision.
    @Benchmark
    public Verdict decide(Rounds state) {
        return state.decideNext();
    }

    @Test
    void run() throws RunnerException {
        new Runner(
                        new OptionsBuilder()
                                .include(RuleBenchmark.class.getName())
                                .addProfiler(GCProfiler.class)
                                .build())
                .run();
    }
}
