package dev.outrider.drafter.block;

import dev.outrider.drafting.bench.BenchWatch;
import dev.outrider.drafting.bench.DraftBench;
import java.util.List;
import java.util.Locale;

/// Times `dflash` and `dspark`. Thread-safe.
public final class BlockDraftBench implements DraftBench<BlockBenchConfig> {
    @Override
    public String name() {
        return "block";
    }

    @Override
    public Class<BlockBenchConfig> configType() {
        return BlockBenchConfig.class;
    }

    @Override
    public String description() {
        return "Times a whole block draft, DFlash's or DSpark's, against a target pass of one row.";
    }

    @Override
    public String details() {
        return "Both run over random weights and take turns within one run. A draft is a round's new context, one pass over the block and the head for the guesses taken; over the number of guesses it is c.";
    }

    @Override
    public List<String> examples() {
        return List.of(
                "bench-draft block --shape tinyllama-1.1b --layers 1 --length 5",
                "bench-draft block --shape tinyllama-1.1b --layers 1 --length 8 --markov-rank 256");
    }

    @Override
    public String run(BlockBenchConfig config, BenchWatch watch) {
        var report = BlockBench.run(config, watch.turns(config.turns()), watch.clock()::getAsLong);
        return String.format(
                Locale.ROOT,
                """
                %s
                  target pass of one row      %9.3f ms
                  draft of %d from %d slots    %9.3f ms, %d layers, %d new positions, Markov rank %d
                  draft / target pass         %9.3f
                  over %d guesses, c           %9.3f
                """,
                config.target().describe(config.turns()),
                1e3 * report.targetSeconds(),
                config.length(),
                config.blockSize(),
                1e3 * report.draftSeconds(),
                config.layers(),
                config.fed(),
                config.markovRank(),
                report.ratio(),
                config.length(),
                report.ratio() / config.length());
    }
}
