package dev.outrider.cli;

import dev.outrider.config.Loaded;
import dev.outrider.drafting.bench.DraftBench;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/// The command `outrider bench-draft`: runs whatever bench of a drafter is installed.
@Command(
        name = "bench-draft",
        description = {
            "Times drafts against target passes, on random weights of a named shape.",
            "",
            "Without a name, lists what can be timed.",
            "",
            "Plugins add to the list. 'outrider bench-draft NAME --help' shows the keys of its configuration."
        },
        footer = {
            "  outrider bench-draft",
            "  outrider bench-draft medusa --shape tinyllama-1.1b --heads 4",
            "  outrider bench-draft eagle --shape tinyllama-1.1b --generation 3 --draft-vocabulary"
                    + " 8192",
            "  outrider bench-draft mtp --shape tinyllama-1.1b"
        })
final class BenchDraftCommand extends ServiceGroup<DraftBench<?>> {
    BenchDraftCommand(CommandContext context) {
        super(
                context,
                DRAFT_BENCH,
                true,
                each -> new About(each.description(), each.details(), each.examples()));
    }

    @Override
    int run(DraftBench<?> bench, Loaded<? extends Record> loaded, ParseResult parsed) {
        return new Measurement(context)
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
