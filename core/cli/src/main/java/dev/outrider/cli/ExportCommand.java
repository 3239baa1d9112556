package dev.outrider.cli;

import dev.outrider.config.ConfigLoader;
import dev.outrider.drafting.export.HeadExport;
import dev.outrider.engine.plugins.Components;
import dev.outrider.engine.plugins.Factories;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;

/// The command `outrider export`: writes heads in whatever layout is installed.
@Command(
        name = "export",
        description = {
            "Writes a trained head in another program's layout; alone, lists the layouts.",
            "",
            "What is trained here has the layout of the head's authors already. Plugins add to the list. 'outrider export NAME"
                    + " --help' shows the keys of its configuration."
        },
        footer = {
            "  outrider export",
            "  outrider export speculators --head models/demo-eagle3 --target models/demo-target --out demo-eagle3-speculators",
            "  outrider export medusa-v1 --head models/demo-medusa --target models/demo-target --out demo-medusa-v1"
        })
final class ExportCommand implements Callable<Integer>, ServiceGroup {
    private final Console console;
    private final ConfigLoader loader;
    private final HubModels models;
    private final Services<HeadExport<?>> exports;

    @Parameters(hidden = true)
    private List<String> unknown = new ArrayList<>();

    @Inject
    ExportCommand(
            Console console,
            ConfigLoader loader,
            HubModels models,
            Components<HeadExport<?>> exports) {
        this.console = console;
        this.loader = loader;
        this.models = models;
        this.exports =
                new Services<>(
                        exports,
                        each ->
                                new Service.About(
                                        each.description(), each.details(), each.examples()));
    }

    /// Reached when no installed name was given.
    @Override
    public Integer call() {
        return exports.list(console, unknown);
    }

    @Override
    public List<CommandSpec> installed() {
        return exports.commands(this::command);
    }

    private CommandSpec command(Service service, HeadExport<?> export) {
        return ServiceCommand.of(
                service,
                false,
                List.of(),
                loader,
                models,
                (loaded, _) -> write(export, loaded.config()));
    }

    private <C extends Record> int write(HeadExport<C> export, Record config) {
        C typed = export.configType().cast(config);
        console.out()
                .println(
                        Factories.made(
                                CommandKinds.HEAD_EXPORT,
                                export,
                                "write",
                                () -> export.write(typed)));
        return ExitCode.OK;
    }
}
