package dev.outrider.cli;

import dev.outrider.config.Loaded;
import dev.outrider.drafting.bench.DraftBench;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/// The command `outrider bench-draft`: runs whatever bench of a drafter is installed.
@Command(name = "bench-draft")
final class BenchDraftCommand extends ServiceGroup<DraftBench<?>> {
    BenchDraftCommand() {
        super(
                DRAFT_BENCH,
                true,
                each -> new About(each.description(), each.details(), each.examples()));
    }

    @Override
    int run(DraftBench<?> bench, Loaded<? extends Record> loaded, ParseResult parsed) {
        return new Measurement(context())
                .print(
                        "bench-draft",
                        watch -> guarded(bench, "run", () -> run(bench, loaded.config(), watch)));
    }

    private static <C extends Record> String run(
            DraftBench<C> bench, Record config, Measurement.Watch watch) {
        try {
            return bench.run(bench.configType().cast(config), watch);
        } catch (IllegalArgumentException e) {
            throw new OutriderException(
                    ErrorCode.USAGE,
                    String.valueOf(e.getMessage()),
                    "'outrider bench-draft %s --help' explains its keys.".formatted(bench.name()),
                    e);
        }
    }
}
