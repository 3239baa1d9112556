package dev.outrider.cli;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.quantise.Quantiser;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `outrider quantise`.
@Command(name = "quantise")
final class QuantiseCommand extends Subcommand {
    private static final double MEGABYTE = 1e6;

    @Option(names = "--model", required = true, paramLabel = "FOLDER")
    private String model = "";

    @Option(names = "--precision", required = true, paramLabel = "PRECISION")
    private String precision = "";

    @Option(names = "--out", required = true, paramLabel = "FOLDER")
    private Path out = Path.of(".");

    @Override
    public Integer call() {
        var all = Arrays.asList(Levels.values());
        List<String> names = all.stream().map(QuantiseCommand::name).toList();
        requireOneOf("--precision", precision, names);
        var source = new Checkpoint(context().local(model));
        try (var progress = new ConsoleProgress(context().console(), "quantising")) {
            var written =
                    new Quantiser(
                                    all.get(names.indexOf(precision)),
                                    progress::at,
                                    context().interrupted())
                            .write(source, out);
            progress.close();
            if (written.isEmpty()) {
                err().println("Interrupted; nothing was written.");
                return ExitCode.INTERRUPTED;
            }
            report(written.get());
            return ExitCode.OK;
        }
    }

    private void report(Quantiser.Written written) {
        out().println(
                        Console.format(
                                "%s: %d matrices in %s, %.1f MB of weights became %.1f MB",
                                out,
                                written.matrices(),
                                precision,
                                written.before() / MEGABYTE,
                                written.after() / MEGABYTE));
    }

    private static String name(Levels levels) {
        return Precision.of(levels).name().toLowerCase(Locale.ROOT);
    }
}
