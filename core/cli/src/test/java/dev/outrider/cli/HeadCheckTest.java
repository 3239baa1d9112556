package dev.outrider.cli;

import static dev.outrider.cli.Shipped.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests `outrider doctor --head`: how it reads the shipped drafters.
class HeadCheckTest {
    @TempDir private static Path prompts;

    @BeforeAll
    static void writePrompts() throws IOException {
        var all = Files.readAllLines(ROOT.resolve("configs/prompts/held-out.jsonl"));
        var some = List.of(all.getFirst(), all.get(all.size() / 2));
        Files.write(prompts.resolve("some.jsonl"), some);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dflash", "dspark", "eagle3", "p-eagle"})
    void whatIsReadAsItWasTrainedIsRight(String kind) {
        var run = checked("demo-" + kind, "demo-target");

        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("\nright: '" + kind + "' guesses");
    }

    /// A checkpoint that answers masks is an ordinary draft model too.
    @Test
    void whatTwoKindsLoadIsReadAsTheOneThatIsNamed() {
        var either = checked("demo-pard", "demo-target");
        assertThat(either.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(either.err()).contains("can be loaded as pard or small-model");

        var run = checked("demo-pard", "demo-target", "--drafter", "pard");
        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("\nright: 'pard' guesses");
    }

    @ParameterizedTest
    @CsvSource({
        "dflash, true, one off: guess k of 'dflash' is the target's token k - 1",
        "dspark, false, misread: guesses of 'dspark' lean on the tokens before them"
    })
    void theWrongSettingOfTheAnchorIsNamed(String kind, boolean wrong, String verdict) {
        var run =
                checked(
                        "demo-" + kind,
                        "demo-target",
                        "--prompts",
                        ROOT.resolve("configs/prompts/held-out.jsonl").toString(),
                        "--set",
                        "length=7",
                        "--set",
                        "sampleFromAnchor=" + wrong);

        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).contains(verdict, "Set sampleFromAnchor: " + !wrong + ".");
        assertThat(run.out()).containsPattern("\n7 +\\d+ ");
    }

    @Test
    void aHeadOfAnotherTargetIsAtChance(@TempDir Path folder) throws IOException {
        var all = Files.readAllLines(ROOT.resolve("configs/prompts/held-out.jsonl"));
        var one = Files.write(folder.resolve("one.jsonl"), all.subList(0, 1));

        var run = checked("demo-dflash", "prose-target", "--prompts", one.toString());

        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .contains("at chance: 'dflash'", "capturedLayers", "maskToken", "tokenizer");
    }

    @Test
    void headAndTargetComeTogether() {
        var run = Run.of("doctor", "--head", model("demo-dflash"));

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("--head is ", "together with --target");
    }

    @Test
    void whatNoDrafterLoadsIsRefused() {
        var run = checked("demo-t5-small", "demo-target");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("no kind of drafter loads", "small-model");
    }

    private static Run checked(String head, String target, String... options) {
        var command =
                new ArrayList<>(
                        List.of("doctor", "--head", model(head), "--target", model(target)));
        if (!List.of(options).contains("--prompts")) {
            command.addAll(List.of("--prompts", prompts.resolve("some.jsonl").toString()));
        }
        command.addAll(List.of(options));
        return Run.of(command.toArray(String[]::new));
    }

    private static String model(String name) {
        return ROOT.resolve("models").resolve(name).toString();
    }
}
