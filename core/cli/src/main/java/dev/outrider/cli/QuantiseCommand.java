package dev.outrider.cli;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.quantise.Quantiser;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The command `outrider quantise`.
@Command(name = "quantise")
final class QuantiseCommand implements Callable<Integer> {
    private static final double MEGABYTE = 1e6;

    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(names = "--model", required = true, paramLabel = "FOLDER")
    private String model = "";

    @Option(names = "--precision", required = true, paramLabel = "PRECISION")
    private String precision = "";

    @Option(names = "--out", required = true, paramLabel = "FOLDER")
    private Path out = Path.of(".");

    QuantiseCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        var all = Arrays.asList(Levels.values());
        List<String> names = all.stream().map(QuantiseCommand::name).toList();
        Options.requireOneOf(spec, "--precision", precision, names);
        var source = new Checkpoint(context.local(model));
        try (var progress = new Progress.Phases(context.console(), "quantising")) {
            var written =
                    new Quantiser(
                                    all.get(names.indexOf(precision)),
                                    progress::at,
                                    context.interrupted())
                            .write(source, out);
            progress.close();
            if (written.isEmpty()) {
                context.err().println("Interrupted; nothing was written.");
                return ExitCode.INTERRUPTED;
            }
            report(written.get());
            return ExitCode.OK;
        }
    }

    private void report(Quantiser.Written written) {
        context.out()
                .println(
                        String.format(
                                Locale.ROOT,
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
