package dev.outrider.cli;

import dev.outrider.config.ConfigLoader;
import dev.outrider.drafting.bench.DraftBench;
import dev.outrider.engine.plugins.Components;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
    private final Components<DraftBench<?>> benches;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(hidden = true)
    private List<String> unknown = new ArrayList<>();

    @Inject
    BenchDraftCommand(
            Console console,
            Measurement measurement,
            ConfigLoader loader,
            Components<DraftBench<?>> benches) {
        this.console = console;
        this.measurement = measurement;
        this.loader = loader;
        this.benches = benches;
    }

    /// Reached when no installed name was given.
    @Override
    public Integer call() {
        unknown.stream().findFirst().ifPresent(benches::require);
        services().forEach(service -> console.out().println(service.line()));
        return ExitCode.OK;
    }

    @Override
    public List<CommandSpec> installed() {
        return services().stream()
                .map(service -> command(service, benches.require(service.name())))
                .toList();
    }

    private List<Service> services() {
        return benches.all().stream()
                .map(each ->
                        new Service(
                                each.name(),
                                each.plugin().origin(),
                                each.configType(),
                                each.factory().description(),
                                each.factory().details(),
                                each.factory().examples()))
                .toList();
    }

    private CommandSpec command(Service service, DraftBench<?> bench) {
        return ServiceCommand.of(
                service,
                true,
                List.of(),
                loader,
                (loaded, _) -> time(service, bench, loaded.config()));
    }

    private <C extends Record> int time(Service service, DraftBench<C> bench, Record config) {
        C typed = bench.configType().cast(config);
        return measurement.print(
                "bench-draft",
                watch -> ForeignCalls.call(service, bench, () -> run(bench, typed, watch)));
    }

    private <C extends Record> String run(DraftBench<C> bench, C config, Measurement.Watch watch) {
        try {
            return bench.run(config, watch);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
