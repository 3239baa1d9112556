package dev.outrider.cli;

import dev.outrider.common.Columns;
import dev.outrider.engine.assembly.LoadedModels;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.tune.Advice;
import dev.outrider.experiment.tune.Candidate;
import dev.outrider.experiment.tune.Probe;
import dev.outrider.experiment.tune.TuneSettings;
import dev.outrider.experiment.tune.Tuning;
import dev.outrider.experiment.tune.Tuning.Found;
import dev.outrider.experiment.tune.Tuning.Measured;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `outrider tune`: finds out what to run for a target on the user's prompts.
@Command(name = "tune")
final class TuneCommand extends Subcommand {
    private static final String PROBE = "probe.json";
    private static final String CONFIG = "tuned.yaml";

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

    @Option(names = "--threads", paramLabel = "N", defaultValue = "1")
    private int threads;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "results/tune")
    private Path out = Path.of("");

    @Option(names = "--allow-format-change")
    private boolean formats;

    @Option(names = "--dry-run")
    private boolean dryRun;

    @Override
    public Integer call() {
        require(minutes > 0, "--minutes", minutes, "more than 0");
        require(maxTokens > 0, "--max-tokens", maxTokens, "1 or more");
        require(threads > 0, "--threads", threads, "1 or more");
        var settings =
                new TuneSettings(
                        absolute(context().local(target)),
                        absolute(prompts),
                        drafters.stream().map(each -> absolute(context().local(each))).toList(),
                        temperature,
                        maxTokens,
                        seed,
                        threads,
                        minutes,
                        formats);
        Probe probe;
        Tuning tuning;
        Optional<Found> found;
        try (var target = new OnceLoaded(new TuneCandidates(context(), settings))) {
            probe = probe(settings, target);
            probe.leftOut().forEach(each -> out().printf("left out: %s%n", each));
            require(!probe.first().isEmpty(), "--drafter", drafters, "one that fits the target");
            if (dryRun) {
                out().print(plan(probe));
                return ExitCode.OK;
            }
            Tuning.write(out, PROBE, Json.pretty(probe));
            tuning =
                    new Tuning(
                            probe,
                            context().bench(),
                            () -> target.models().target(),
                            context().loader(),
                            context().interrupted(),
                            context().ticker(),
                            out,
                            line -> err().println(line));
            found = tuning.run();
        }
        if (found.isEmpty()) {
            boolean interrupted = context().interruption().requested();
            err().println(
                            interrupted
                                    ? "Interrupted before anything was measured."
                                    : "Nothing was measured: every prompt failed. 'outrider bench' with one of the candidates says why.");
            return interrupted ? ExitCode.INTERRUPTED : ExitCode.FAILURE;
        }
        show(tuning, probe, found.get());
        return ExitCode.OK;
    }

    /// The target, loaded when it is asked for.
    private static final class OnceLoaded implements AutoCloseable {
        private final TuneCandidates candidates;
        private Optional<LoadedModels> models = Optional.empty();

        OnceLoaded(TuneCandidates candidates) {
            this.candidates = candidates;
        }

        LoadedModels models() {
            if (models.isEmpty()) {
                models = Optional.of(candidates.target());
            }
            return models.get();
        }

        @Override
        public void close() {
            models.ifPresent(LoadedModels::close);
        }
    }

    private static String absolute(Path path) {
        return path.toAbsolutePath().normalize().toString();
    }

    /// What an earlier run with the same options has found need not be found again.
    private Probe probe(TuneSettings settings, OnceLoaded target) {
        return Optional.of(out.resolve(PROBE))
                .flatMap(file -> Json.optional(file, Probe.class))
                .filter(probe -> probe.settings().equals(settings))
                .orElseGet(() -> target.candidates.probe(target.models()));
    }

    private static String plan(Probe probe) {
        var first = probe.first();
        var table = Columns.of("candidate", "measured first");
        for (Candidate each : probe.all()) {
            table.row(each.name(), first.contains(each) ? "yes" : "");
        }
        return "%s%d candidates, %d of them and plain decoding in the first comparison; about %.1f minutes, at %.1f ms a token of plain decoding.%n"
                .formatted(
                        table.text(),
                        probe.all().size(),
                        first.size(),
                        probe.settings().minutes(),
                        1000 * probe.secondsPerToken());
    }

    private void show(Tuning tuning, Probe probe, Found found) {
        var last = found.decisive();
        var advice = Advice.of(last.report());
        Tuning.write(out, CONFIG, advice.yaml(probe.settings(), "", last));
        var changed =
                context().interruption().requested() ? "" : formats(tuning, probe, last, advice);
        var lengths = Advice.lengths(found);
        var text =
                "%s%n%s%s%n%s%n%s%n%s"
                        .formatted(
                                Advice.table(found),
                                lengths.isEmpty()
                                        ? ""
                                        : "expected times plain by length of a chain, from '1-look':\n%s%n"
                                                .formatted(lengths),
                                advice.what(),
                                advice.why(),
                                advice.change(),
                                changed.isEmpty() ? "" : "\n" + changed);
        Tuning.write(out, "tuned.txt", text);
        if (context().interruption().requested()) {
            err().println("Interrupted: this is the best so far.");
        }
        out().print(text);
        out().printf("%nRun it: outrider bench %s%n", out.resolve(CONFIG));
    }

    /// What other number formats give, each with a configuration of its own.
    private String formats(Tuning tuning, Probe probe, Measured last, Advice advice) {
        var text = new StringBuilder();
        for (var format : probe.formats()) {
            try {
                var found = tuning.format(format, last, advice.nearest());
                if (found.isPresent()) {
                    text.append(found.get().shown(temperature == 0));
                    Tuning.write(
                            out,
                            "tuned-%s.yaml".formatted(format),
                            advice.yaml(probe.settings(), format, last));
                }
            } catch (OutriderException e) {
                text.append("left out: %s: %s: %s%n".formatted(format, e.code(), e.problem()));
            }
        }
        return text.toString();
    }
}
