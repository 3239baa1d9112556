package dev.outrider.cli;

import static dev.outrider.cli.Shipped.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.PromptSource;
import dev.outrider.experiment.run.PromptReader;
import dev.outrider.experiment.tune.Probe;
import dev.outrider.experiment.tune.TuneSettings;
import dev.outrider.experiment.tune.Tuning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests the command `tune` on the tiny models.
class TuneCommandTest {
    private static final String PROMPTS = ROOT.resolve("configs/prompts/held-out.jsonl").toString();

    private static final double SECONDS = 60;
    private static final long NANOS_A_READING = 5_000_000;

    @TempDir private Path folder;

    @Test
    void everyKindThatLoadsADrafterIsACandidateInSeveralShapes() {
        var run =
                Run.of(
                        command(
                                "--dry-run",
                                "--drafter",
                                model("tiny-draft"),
                                "--drafter",
                                model("tiny-eagle3")));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        for (var drafter : List.of("small-model tiny-draft", "eagle3 tiny-eagle3")) {
            for (int length : List.of(1, 2, 3, 5, 8)) {
                assertThat(run.out()).contains("%s, chain of %d".formatted(drafter, length));
            }
            assertThat(run.out()).contains(drafter + ", tree 2-1-1", drafter + ", expected gain");
        }
        assertThat(run.out())
                .contains("prompt lookup", "token recycling", "18 candidates, 8 of them")
                .doesNotContain("left out");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aDrafterThatDoesNotFitIsLeftOutWithTheReasons() {
        var run = Run.of(command("--dry-run", "--drafter", model("demo-eagle3")));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .contains("demo-eagle3: no kind of drafter loads it for this target")
                .contains("eagle3: refused, MODEL_CONFIG_INVALID: ")
                .contains("4 candidates, 4 of them");
    }

    @Test
    void aHeadWithoutTheShapeOfItsTargetIsNamedWithIt() {
        var command = command("--dry-run", "--drafter", model("tiny-eagle3"));
        command[2] += "@stories15m";
        var run = Run.of(command);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .containsPattern("needs the target's shape: --drafter .*/tiny-eagle3@stories15m\n");
    }

    @Test
    void drafterThatFindsNoMemoryBesideTheOthersIsLeftOut() {
        var command = new ArrayList<>(List.of("--dry-run", "--drafter", model("tiny-draft")));
        command.addAll(List.of("--drafter", model("demo-target"), "--memory", "4m"));
        var run = Run.of(command(command.toArray(String[]::new)));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .containsPattern(
                        "left out: .*demo-target: its weights take \\d+ MiB, but 4 MiB are left")
                .contains("small-model tiny-draft, chain of 1")
                .doesNotContain("no kind of drafter");
    }

    @Test
    void freeMemoryDoesNotDecideWhetherFinishedComparisonsAreKept() throws IOException {
        var draft = Files.createDirectory(folder.resolve("draft"));
        try (var files = Files.list(Path.of(model("tiny-draft")))) {
            for (var each : files.toList()) {
                Files.copy(each, draft.resolve(each.getFileName()));
            }
        }
        var out = folder.resolve("out");
        Files.createDirectories(out.resolve("1-screening"));
        var all = probe(draft, Long.MAX_VALUE);
        tuning(all, out);
        var kept = Files.writeString(out.resolve("1-screening/summary.json"), "{}");

        var none = probe(draft, 0);
        assertThat(none.families()).isEmpty();
        assertThat(tuning(none, out)).singleElement().asString().contains("goes on with the one");
        assertThat(kept).exists();

        Files.writeString(draft.resolve("README.md"), "Not read to load it.");
        assertThat(tuning(probe(draft, 0), out)).noneMatch(line -> line.startsWith("Asked anew"));
        assertThat(kept).exists();

        Files.writeString(draft.resolve("config.json"), " ", StandardOpenOption.APPEND);
        assertThat(tuning(probe(draft, 0), out)).anyMatch(line -> line.startsWith("Asked anew"));
        assertThat(kept).doesNotExist();
    }

    private static Probe probe(Path draft, long room) {
        return probe(draft, room, Optional.empty());
    }

    private static Probe probe(Path draft, long room, Optional<Long> memory) {
        var settings =
                new TuneSettings(
                        model("tiny-target"),
                        PROMPTS,
                        List.of(draft.toString()),
                        0,
                        8,
                        0,
                        1,
                        memory,
                        1,
                        false);
        var texts = PromptReader.read(new PromptSource.FromFile(Path.of(PROMPTS), List.of(), 0));
        try (var models = new DrafterFacts(Run.context()).target(Path.of(model("tiny-target")))) {
            return new TuneCandidates(Run.context(), settings, models, room).probe(texts, true);
        }
    }

    @Test
    void anotherLimitOfMemoryIsAnotherQuestion() {
        var draft = Path.of(model("tiny-draft"));
        tuning(probe(draft, 0, Optional.of(8L << 20)), folder);

        assertThat(tuning(probe(draft, 0, Optional.of(8L << 20)), folder)).isEmpty();
        assertThat(tuning(probe(draft, Long.MAX_VALUE, Optional.of(1L << 30)), folder))
                .singleElement()
                .asString()
                .startsWith("Asked anew");
    }

    @Test
    void aDrafterThatDoesNotFitAnyMoreIsNotMeasured() {
        var draft = Path.of(model("tiny-draft"));
        tuning(probe(draft, Long.MAX_VALUE), folder);
        var context = Run.context();
        try (var models = new DrafterFacts(context).target(Path.of(model("tiny-target")))) {
            var tuning =
                    new Tuning(
                            probe(draft, 0),
                            context.bench(),
                            models.target(),
                            context.loader(),
                            folder,
                            _ -> {});

            assertThatThrownBy(tuning::run)
                    .hasMessageContaining("OUT_OF_MEMORY: ")
                    .hasMessageContaining("1-screening' compares 'small-model tiny-draft'")
                    .hasMessageContaining("--out");
        }
    }

    /// Starts the command, and returns the log.
    private static List<String> tuning(Probe probe, Path out) {
        var logged = new ArrayList<String>();
        var context = Run.context();
        try (var models = new DrafterFacts(context).target(Path.of(model("tiny-target")))) {
            new Tuning(probe, context.bench(), models.target(), context.loader(), out, logged::add);
        }
        return logged;
    }

    @Test
    void memoryThatIsTooSmallForTheTargetIsRefused() {
        assertThat(Run.of(command("--dry-run", "--memory", "64")).err())
                .contains("'64' is no size of memory");
        var target = model("demo-target");

        assertThat(Run.of("tune", "--target", target, "--prompts", PROMPTS, "--memory", "1m").err())
                .contains("--memory is 1 MiB, expected more than the ");
    }

    @Test
    void endsWithAConfigurationThatRunsAndMeasuresNothingTwice() {
        var command =
                command(
                        "--minutes",
                        "0.01",
                        "--max-tokens",
                        "12",
                        "--drafter",
                        model("tiny-draft"),
                        "--drafter",
                        model("tiny-eagle3"),
                        "--out",
                        folder.toString());
        var run = Run.of(command);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.err()).contains("1-screening: plain decoding and 8 candidates");
        assertThat(run.out())
                .contains("measured in", "What would change it: ")
                .containsPattern("\n(Run 'small|Run 'eagle3|Run plain|Not decided; nearest is )")
                .doesNotContain("chosen on the same prompts");
        var tuned = folder.resolve("tuned.yaml");
        assertThat(loaded(tuned).variants()).hasSize(2);
        var bench =
                Run.of(
                        "bench",
                        tuned.toString(),
                        "--set",
                        "prompts.limit=1",
                        "--out",
                        folder.resolve("again").toString());
        assertThat(bench.exitCode()).as(bench.err()).isEqualTo(ExitCode.OK);

        var again = Run.of(command);

        assertThat(again.err().lines().filter(line -> line.endsWith(": measured already")))
                .hasSize(3);
        assertThat(again.out()).isEqualTo(run.out());
    }

    @Test
    void otherPromptsAreMeasuredAgainAndNothingOldIsLeft() throws IOException {
        var prompts = folder.resolve("prompts.txt");
        Files.writeString(prompts, "Once\nThere was\nA dog\n");
        var out = folder.resolve("out");
        String[] command = {
            "tune",
            "--target",
            model("tiny-target"),
            "--prompts",
            prompts.toString(),
            "--minutes",
            "0.005",
            "--max-tokens",
            "8",
            "--out",
            out.toString()
        };
        var first = Run.of(command);
        assertThat(first.exitCode()).as(first.err()).isEqualTo(ExitCode.OK);
        assertThat(first.out()).contains("chosen on the same prompts", "Not decided; nearest is ");
        Files.writeString(out.resolve("tuned-int8.yaml"), "");
        Files.createDirectories(out.resolve("4-int8"));
        Files.writeString(out.resolve("4-int8/summary.json"), "");
        Files.writeString(out.resolve("notes.txt"), "mine");
        Files.writeString(prompts, "Once\nThere was\nA cat\n");

        var second = Run.of(command);

        assertThat(second.exitCode()).as(second.err()).isEqualTo(ExitCode.OK);
        assertThat(second.err()).doesNotContain("measured already");
        assertThat(out.resolve("tuned-int8.yaml")).doesNotExist();
        assertThat(out.resolve("4-int8/summary.json")).doesNotExist();
        assertThat(out.resolve("notes.txt")).hasContent("mine");
    }

    /// Measures on a clock that advances by five milliseconds at every reading; loading reads the clock too, but its time counts
    /// nowhere.
    @Test
    void everythingTakesTheTimeThatItWasGiven() {
        var reads = new AtomicLong();
        var from = Run.context();
        var context =
                new CommandContext(
                        from.console(),
                        from.interruption(),
                        from.installed(),
                        from.hub(),
                        () -> reads.incrementAndGet() * NANOS_A_READING,
                        from.clock(),
                        from.root());
        var settings =
                new TuneSettings(
                        model("tiny-target"),
                        PROMPTS,
                        List.of(model("tiny-draft")),
                        0,
                        32,
                        0,
                        1,
                        Optional.empty(),
                        SECONDS / 60,
                        false);
        var texts = PromptReader.read(new PromptSource.FromFile(Path.of(PROMPTS), List.of(), 0));
        try (var models = new DrafterFacts(context).target(Path.of(model("tiny-target")))) {
            var candidates = new TuneCandidates(context, settings, models, Long.MAX_VALUE);
            var probe = candidates.probe(texts, true);
            long start = reads.get();

            var found =
                    new Tuning(
                                    probe,
                                    context.bench(),
                                    models.target(),
                                    context.loader(),
                                    folder,
                                    _ -> {})
                            .run();

            assertThat((reads.get() - start) * NANOS_A_READING / 1e9)
                    .isBetween(SECONDS * 0.4, SECONDS * 1.1);
            assertThat(found).hasSize(3);
            assertThat(Tuning.selected(found)).isFalse();
            assertThat(found.getLast().report().coverage().prompts()).isGreaterThanOrEqualTo(6);
        }
    }

    @Test
    void anotherFormatIsLabelledWithWhatItChanges() {
        var run =
                Run.of(
                        command(
                                "--minutes",
                                "0.01",
                                "--max-tokens",
                                "8",
                                "--drafter",
                                model("tiny-medusa"),
                                "--allow-format-change",
                                "--out",
                                folder.toString()));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .containsPattern("plain in int8: [0-9.]+ ")
                .containsPattern(
                        "w8a8 changes the output: [0-9]+ % of the tokens come before the first difference");
    }

    @Test
    void anInterruptionBeforeAnythingWasMeasuredIsSaid() throws IOException {
        var interruption = new Interruption();
        interruption.request();

        var run = Run.with("", interruption, command("--out", folder.toString()));

        assertThat(run.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(run.err()).endsWith("Interrupted before anything was measured.\n");
        assertThat(Files.exists(folder.resolve("tuned.yaml"))).isFalse();
    }

    /// Finished comparisons remain, and the advice is based on them.
    @Test
    void anInterruptionLaterKeepsTheBestSoFar() {
        var command = command("--minutes", "0.01", "--max-tokens", "8", "--out", folder.toString());
        assertThat(Run.of(command).exitCode()).isEqualTo(ExitCode.OK);
        assertThat(folder.resolve("3-final/summary.json").toFile().delete()).isTrue();
        var interruption = new Interruption();
        interruption.request();

        var run = Run.with("", interruption, command);

        assertThat(run.exitCode()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(run.err()).contains("Interrupted: this is the best so far.");
        assertThat(run.out())
                .contains("2-halving")
                .doesNotContain("3-final", "chosen on the same prompts");
    }

    private static ExperimentConfig loaded(Path file) {
        return Run.context().loader().load(file, ExperimentConfig.class, List.of()).config();
    }

    private static String model(String name) {
        return ROOT.resolve("models").resolve(name).toString();
    }

    private static String[] command(String... options) {
        var command =
                new ArrayList<>(
                        List.of("tune", "--target", model("tiny-target"), "--prompts", PROMPTS));
        command.addAll(List.of(options));
        return command.toArray(String[]::new);
    }
}
