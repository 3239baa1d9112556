package dev.outrider.cli;

import dev.outrider.common.Columns;
import dev.outrider.experiment.config.PromptSource;
import dev.outrider.experiment.run.PromptReader;
import dev.outrider.experiment.tune.Advice;
import dev.outrider.experiment.tune.Candidate;
import dev.outrider.experiment.tune.Probe;
import dev.outrider.experiment.tune.TuneSettings;
import dev.outrider.experiment.tune.Tuning;
import dev.outrider.experiment.tune.Tuning.Measured;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.NativeMemory;
import dev.outrider.nn.target.PassThreads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `outrider tune`: finds out what to run for a target on the user's prompts.
@Command(name = "tune")
final class TuneCommand extends Subcommand {
    private static final String CONFIG = "tuned.yaml";
    private static final String SELECTED =
            "The variants were chosen on the same prompts, so the best of them may look faster than it is; with 9 prompts or more the last comparison has its own.\n";

    private static final String PLANNED =
            "The last comparison ended after the %d prompts that there seemed to be time for; with more --minutes it has more of its %d.%n";

    @Option(names = "--target", paramLabel = "MODEL", required = true)
    private String target = "";

    @Option(names = "--prompts", paramLabel = "FILE", required = true)
    private Path prompts = Path.of("");

    @Option(names = "--drafter", paramLabel = "MODEL")
    private List<String> drafters = List.of();

    @Option(names = "--minutes", paramLabel = "N", defaultValue = "10")
    private double minutes;

    @Option(names = "--temperature", paramLabel = "T", defaultValue = "0")
    private double temperature;

    @Option(names = "--max-tokens", paramLabel = "N", defaultValue = "64")
    private int maxTokens;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "0")
    private long seed;

    @Option(names = "--threads", paramLabel = "N")
    private Optional<Integer> threads = Optional.empty();

    @Option(names = "--memory", paramLabel = "SIZE", converter = Options.SizeConverter.class)
    private Optional<Long> memory = Optional.empty();

    @Option(names = "--out", paramLabel = "DIR")
    private Optional<Path> out = Optional.empty();

    @Option(names = "--allow-format-change")
    private boolean formats;

    @Option(names = "--dry-run")
    private boolean dryRun;

    @Override
    public Integer call() {
        require(minutes > 0, "--minutes", minutes, "more than 0");
        require(maxTokens > 0, "--max-tokens", maxTokens, "1 or more");
        int count = threads(threads);
        var path = context().local(target).toAbsolutePath().normalize();
        var file = prompts.toAbsolutePath().normalize();
        require(Files.isRegularFile(file), "--prompts", prompts, "a file");
        var paths = drafters.stream().map(this::absolute).distinct().toList();
        var settings =
                new TuneSettings(
                        path.toString(),
                        file.toString(),
                        paths,
                        temperature,
                        maxTokens,
                        seed,
                        count,
                        memory,
                        minutes,
                        formats);
        var texts = PromptReader.read(new PromptSource.FromFile(file, List.of(), 0));
        PassThreads.use(count);
        Probe probe;
        Tuning tuning;
        List<Measured> found;
        err().println("Loading '" + path + "' ...");
        try (var models = new DrafterFacts(context()).target(path)) {
            var candidates = new TuneCandidates(context(), settings, models, room(path));
            probe = candidates.probe(texts, !dryRun);
            probe.leftOut().forEach(each -> out().printf("left out: %s%n", each));
            require(!probe.first().isEmpty(), "--drafter", drafters, "one that fits the target");
            if (dryRun) {
                out().print(plan(probe));
                return ExitCode.OK;
            }
            var folder = out.orElse(Path.of("results", "tune-" + path.getFileName()));
            var bench = context().bench();
            var loader = context().loader();
            tuning = new Tuning(probe, bench, models.target(), loader, folder, err()::println);
            found = tuning.run();
        }
        if (found.isEmpty()) {
            err().println("Interrupted before anything was measured.");
            return ExitCode.INTERRUPTED;
        }
        show(tuning, probe, found);
        return ExitCode.OK;
    }

    /// Returns the bytes that drafters may use beside the loaded target.
    private long room(Path model) {
        long free = NativeMemory.availableBytes();
        if (memory.isEmpty()) {
            return free;
        }
        long own = TuneCandidates.bytes(model);
        var needed = "more than the %s of the target".formatted(DecoderMemory.mebibytes(own));
        long room = memory.get() - own;
        require(room > 0, "--memory", DecoderMemory.mebibytes(memory.get()), needed);
        return Math.min(free, room);
    }

    private String absolute(String drafter) {
        return context().local(drafter).toAbsolutePath().normalize().toString();
    }

    private static String plan(Probe probe) {
        var first = probe.first();
        var table = Columns.of("candidate", "measured first");
        for (Candidate each : probe.all()) {
            table.row(each.name(), first.contains(each) ? "yes" : "");
        }
        return Console.format(
                "%s%d candidates, %d of them and plain decoding in the first comparison; %.1f ms a token of plain decoding.%n",
                table.text(), probe.all().size(), first.size(), 1000 * probe.secondsPerToken());
    }

    private static String planned(Measured last) {
        return PLANNED.formatted(last.report().coverage().prompts(), last.stage().prompts());
    }

    private void show(Tuning tuning, Probe probe, List<Measured> found) {
        var last = found.getLast();
        var advice = Advice.of(last.report());
        tuning.write(CONFIG, advice.yaml(probe.settings(), last));
        boolean interrupted = context().interruption().requested();
        var text =
                new StringBuilder(Advice.table(found))
                        .append('\n')
                        .append(String.join("\n", advice.lines()))
                        .append('\n')
                        .append(Tuning.selected(found) ? SELECTED : "")
                        .append(last.endedByPlan() ? planned(last) : "");
        for (var format : interrupted ? List.<String>of() : probe.formats()) {
            var answer =
                    ModelFacts.answer(
                            "", () -> text.append(tuning.format(format, last, advice.nearest())));
            text.append(answer.isEmpty() ? "" : "%s: %s%n".formatted(format, answer));
        }
        tuning.write("tuned.txt", text.toString());
        if (interrupted) {
            err().println("Interrupted: this is the best so far.");
        }
        out().print(text);
        out().printf("%nRun it: ./outrider bench %s%n", tuning.folder().resolve(CONFIG));
    }
}
