package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class ApplicationTest {
    @TempDir private Path folder;
    private final RecordingStream err = new RecordingStream();

    @Test
    void showsWhatThereIsWhenCalledWithNothing() {
        var run = Run.of();

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).startsWith("Usage: outrider [-hV] [--debug] COMMAND\n");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void everyCommandTeachesWithAnExampleOfItself() {
        var commands = Application.commandLine(Run.context(console(err))).getSubcommands();

        assertThat(commands).isNotEmpty();
        commands.forEach((name, command) -> {
            assertThat(command.getUsageMessage())
                    .as(name)
                    .contains("\nExamples:\n  outrider " + name)
                    .contains("\nExit codes:\n");
            var summary = command.getCommandSpec().usageMessage().description()[0];
            assertThat(summary).as(name).endsWith(".").hasSizeLessThan(80);
        });
    }

    /// A user cannot copy a command that is broken into lines.
    @Test
    void examplesAreWholeLines() {
        var init = Run.of("init", "--help");

        assertThat(init.out())
                .contains(
                        "\n  outrider init --target models/demo-target --drafter models/demo-draft --drafter models/demo-eagle3 --prompts configs/prompts/held-out.jsonl\n");
    }

    @Test
    void everyCommandAndOptionIsExplainedAndEveryTextIsOfOne() {
        var program = Application.commandLine(Run.context(console(err)));
        var texts = new TreeSet<>(ResourceBundle.getBundle("dev.outrider.cli.help").keySet());

        explained(program, texts);
        texts.removeIf(key -> key.startsWith("usage."));

        assertThat(texts).as("texts of no command").isEmpty();
    }

    private static void explained(CommandLine command, Set<String> texts) {
        var spec = command.getCommandSpec();
        var name = spec.qualifiedName(".");
        assertThat(spec.usageMessage().description()).as(name).isNotEmpty();
        texts.removeIf(key -> key.startsWith(name + ".usage."));
        for (var arg : spec.args()) {
            if (!arg.hidden()) {
                assertThat(arg.description()).as("%s %s", name, arg).isNotEmpty();
            }
            var keys =
                    arg instanceof OptionSpec option
                            ? List.of(option.longestName().substring(2), arg.descriptionKey() + "")
                            : List.of(arg.paramLabel() + "[0]", arg.paramLabel() + "[0..*]");
            texts.removeIf(key -> {
                var text = key.replaceFirst("\\.\\d+$", "");
                return keys.contains(text)
                        || keys.stream().anyMatch(each -> text.equals(name + "." + each));
            });
        }
        command.getSubcommands().values().forEach(each -> explained(each, texts));
    }

    @Test
    void suggestsTheNearestCommand() {
        var run = Run.of("plna");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .startsWith(
                        "USAGE: Unmatched argument at index 0: 'plna'\nDid you mean: outrider plan");
    }

    @Test
    void noValueIsReadAsAFileOfArguments() throws IOException {
        var secret = Files.writeString(folder.resolve("secret"), "--config other.yaml word");

        assertThat(Run.of("@" + secret).err())
                .startsWith("USAGE: Unmatched argument at index 0: '@" + secret + "'\n");
        assertThat(Run.of("bench", "@" + secret).err())
                .startsWith("CONFIG_NOT_FOUND: there is no configuration file '@" + secret + "'\n");
    }

    @Test
    void nothingGivesOrdersToTheTerminal() {
        assertThat(Run.of("pl\u001b[2Jan").err()).contains("'pl\u241b[2Jan'");
        assertThat(Run.of("bench", "no\u001b[8mfile").err()).contains("'no\u241b[8mfile'");
    }

    @Test
    void namesEveryInstalledDrafter() {
        assertThat(Run.of("plugins", "list").out())
                .contains(
                        "drafter     small-model          Drafts with a second, smaller checkpoint");
    }

    @Test
    void explainsTheKeysOfADrafter() {
        assertThat(Run.of("plugins", "describe", "small-model").out())
                .startsWith(
                        "drafter small-model\n  path (path, required)  Folder of the draft checkpoint");
    }

    @Test
    void saysWhichNamesThereAreWhenOneIsUnknown() {
        var run = Run.of("plugins", "describe", "small-modle");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .matches(
                        """
                        UNKNOWN_COMPONENT: there is no target, drafter, acceptance rule, draft-length policy, logits processor or listener 'small-modle'
                          Did you mean 'small-model'\\? Known targets: djl, .*; drafters: .*; acceptance rules: .*; draft-length policies: .*; logits processors: none; listeners: none; plugins in '.*' add others\\.
                        """);
    }

    @Test
    void printsOnlyTheMessageOfAnExpectedFailure() {
        var console = console(err);
        var problem = new OutriderException(ErrorCode.PROMPT_EMPTY, "no prompt", "Write one.");

        assertThat(new ErrorReport(console).report(problem, false)).isEqualTo(ExitCode.FAILURE);
        assertThat(err).hasToString("PROMPT_EMPTY: no prompt\n  Write one.\n");
    }

    @Test
    void saysHowToReportAnUnexpectedFailure() {
        var console = console(err);

        int code = new ErrorReport(console).report(new IllegalStateException("oh"), false);

        assertThat(code).isEqualTo(ExitCode.FAILURE);
        assertThat(err)
                .hasToString(
                        """
                        INTERNAL: java.lang.IllegalStateException: oh
                          This is a mistake in Outrider. Please report it with the output of
                          'outrider doctor' and of the same command with --debug added.
                        """);
    }

    @Test
    void aClassThatCannotBeLoadedIsNoMistakeOfOutriders() {
        var problem = new NoClassDefFoundError("dev/outrider/cli/CommandContext");

        assertThat(new ErrorReport(console(err)).report(problem, false))
                .isEqualTo(ExitCode.FAILURE);
        assertThat(err.toString())
                .startsWith(
                        "IO_FAILED: a part of Outrider cannot be loaded: java.lang.NoClassDefFoundError: dev/outrider/cli/CommandContext\n")
                .contains("ulimit -n");
    }

    @Test
    void showsTheStackTraceOnlyWhenAsked() {
        var console = console(err);

        new ErrorReport(console).report(new IllegalStateException("oh"), true);

        assertThat(err.toString()).contains("\tat dev.outrider.cli.ApplicationTest");
    }

    @Test
    void endsAsAShellExpectsWhenInterrupted() {
        var interruption = new Interruption();
        interruption.request();

        assertThat(Run.with("", interruption, "plan", "-a", "0.5", "-c", "0.1").exitCode())
                .isEqualTo(130);
    }

    private static Console console(RecordingStream err) {
        return new Console(
                java.io.InputStream.nullInputStream(), new RecordingStream(), err, false, false);
    }
}
