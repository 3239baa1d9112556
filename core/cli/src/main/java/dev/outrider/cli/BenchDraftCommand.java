package dev.outrider.cli;

import dev.outrider.config.ConfigLoader;
import dev.outrider.drafting.bench.DraftBench;
import dev.outrider.engine.plugins.Components;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;

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
final class BenchDraftCommand implements Callable<Integer>, ServiceGroup {
    private final Console console;
    private final Measurement measurement;
    private final ConfigLoader loader;
    private final HubModels models;
    private final Services<DraftBench<?>> benches;

    @Parameters(hidden = true)
    private List<String> unknown = new ArrayList<>();

    @Inject
    BenchDraftCommand(
            Console console,
            Measurement measurement,
            ConfigLoader loader,
            HubModels models,
            Components<DraftBench<?>> benches) {
        this.console = console;
        this.measurement = measurement;
        this.loader = loader;
        this.models = models;
        this.benches =
                new Services<>(
                        benches,
                        each ->
                                new Service.About(
                                        each.description(), each.details(), each.examples()));
    }

    /// Reached when no installed name was given.
    @Override
    public Integer call() {
        return benches.list(console, unknown);
    }

    @Override
    public List<CommandSpec> installed() {
        return benches.commands(this::command);
    }

    private CommandSpec command(Service service, DraftBench<?> bench) {
        return ServiceCommand.of(
                service,
                true,
                List.of(),
                loader,
                models,
                (loaded, _) -> time(bench, loaded.config()));
    }

    private <C extends Record> int time(DraftBench<C> bench, Record config) {
        C typed = bench.configType().cast(config);
        return measurement.print(
                "bench-draft",
                watch ->
                        Factories.made(
                                CommandKinds.DRAFT_BENCH,
                                bench,
                                "run",
                                () -> run(bench, typed, watch)));
    }

    private static <C extends Record> String run(
            DraftBench<C> bench, C config, Measurement.Watch watch) {
        try {
            return bench.run(config, watch);
        } catch (IllegalArgumentException e) {
            throw new OutriderException(
                    ErrorCode.USAGE,
                    String.valueOf(e.getMessage()),
                    "'outrider bench-draft %s --help' explains its keys.".formatted(bench.name()),
                    e);
        }
    }
}
