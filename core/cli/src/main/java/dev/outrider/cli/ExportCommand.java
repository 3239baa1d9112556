package dev.outrider.cli;

import dev.outrider.config.Loaded;
import dev.outrider.drafting.export.HeadExport;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/// The command `outrider export`: writes heads in whatever layout is installed.
@Command(name = "export")
final class ExportCommand extends ServiceGroup<HeadExport<?>> {
    ExportCommand() {
        super(
                HEAD_EXPORT,
                false,
                each -> new About(each.description(), each.details(), each.examples()));
    }

    @Override
    int run(HeadExport<?> export, Loaded<? extends Record> loaded, ParseResult parsed) {
        out().println(guarded(export, "write", () -> write(export, loaded.config())));
        return ExitCode.OK;
    }

    private static <C extends Record> String write(HeadExport<C> export, Record config) {
        return export.write(export.configType().cast(config));
    }
}
