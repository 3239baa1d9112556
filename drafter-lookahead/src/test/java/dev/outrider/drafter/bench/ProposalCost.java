package dev.outrider.drafter.bench;

import dev.outrider.spi.draft.Draft;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/// Measures the microseconds of a round of a drafter without a model, for histories of several
/// lengths and a target of 32,000 tokens.
///
/// The timed unit is a batch of 100 rounds after a prompt of that length, so a round is a hundredth
/// of the score. Not a test; run its main method, which takes JMH's options, such as `-p
/// drafter=jacobi-8 -p history=1000`.
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 10, batchSize = ProposalCost.BATCH)
@Measurement(iterations = 20, batchSize = ProposalCost.BATCH)
@Fork(1)
public class ProposalCost {
    static final int BATCH = 100;

    /// One of [Contestants].
    @Param({
        "lookahead-4-4-4",
        "lookahead-7-5-7",
        "lookahead-15-5-15",
        "jacobi-8",
        "prompt-lookup",
        "prompt-lookup-hf",
        "suffix-automaton",
        "suffix-automaton-sam",
        "suffix-tree-3",
        "token-recycling-8",
        "token-recycling-80",
        "adaptive-ngram-8",
        "bigram-2"
    })
    public String drafter = "";

    /// Tokens of the prompt.
    @Param({"1000", "10000", "100000"})
    public int history;

    private final RowScores scores = new RowScores();
    private Optional<Sequence> sequence = Optional.empty();

    /// Starts a sequence and warms it up.
    @Setup(Level.Iteration)
    public void begin() {
        var fresh = new Sequence(Contestants.load(drafter), scores, history, 2 * BATCH);
        for (int round = 0; round < BATCH; round++) {
            fresh.round();
        }
        sequence = Optional.of(fresh);
    }

    /// Closes the sequence of [#begin].
    @TearDown(Level.Iteration)
    public void end() {
        sequence.ifPresent(Sequence::close);
    }

    /// Proposes only.
    @Benchmark
    public Draft propose() {
        return sequence.orElseThrow().propose();
    }

    /// A whole round: proposes and observes.
    @Benchmark
    public Draft round() {
        return sequence.orElseThrow().round();
    }

    /// Runs the benchmarks.
    ///
    /// @param arguments options of JMH
    public static void main(String[] arguments) throws RunnerException, CommandLineOptionException {
        new Runner(
                        new OptionsBuilder()
                                .parent(new CommandLineOptions(arguments))
                                .include(ProposalCost.class.getName())
                                .build())
                .run();
    }
}
