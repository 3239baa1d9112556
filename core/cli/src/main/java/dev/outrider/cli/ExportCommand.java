package dev.outrider.cli;

import dev.outrider.config.Loaded;
import dev.outrider.drafting.export.HeadExport;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

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
final class ExportCommand extends ServiceGroup<HeadExport<?>> {
    ExportCommand(CommandContext context) {
        super(
                context,
                HEAD_EXPORT,
                false,
                each -> new About(each.description(), each.details(), each.examples()));
    }

    @Override
    int run(HeadExport<?> export, Loaded<? extends Record> loaded, ParseResult parsed) {
        context.out().println(guarded(export, "write", () -> write(export, loaded.config())));
        return ExitCode.OK;
    }

    private static <C extends Record> String write(HeadExport<C> export, Record config) {
        return export.write(export.configType().cast(config));
    }
}
