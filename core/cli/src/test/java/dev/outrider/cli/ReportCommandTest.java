package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command `report` on results of the shipped models.
class ReportCommandTest {
    @TempDir private Path folder;

    @Test
    void twoResultsThatWereNotMeasuredAlikeAreComparedWithWarnings() {
        Path before = bench("before", "maxTokens=8");
        Path after = bench("after", "maxTokens=12");

        var run =
                Run.of(
                        "report",
                        before.toString(),
                        after.toString(),
                        "--out",
                        folder.resolve("out").toString());

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.err())
                .contains(
                        "warning: Different maxTokens: 8, then 12. The two do not measure the same thing.\n")
                .doesNotContain("Different prompts", "Different seed", "Different revision");
        assertThat(run.out()).isEqualTo(folder.resolve("out/comparison.html") + "\n");
        assertThat(folder.resolve("out/comparison.html")).content().contains("8, then 12.");

        var alone = Run.of("report", before.toString());
        assertThat(alone.exitCode()).as(alone.err()).isEqualTo(ExitCode.OK);
        assertThat(before.resolve("latest/report/stages.svg")).exists();
    }

    private Path bench(String name, String more) {
        var command = new ArrayList<>(List.of("bench", "--out", folder.resolve(name).toString()));
        command.add(Shipped.IN_CACHE);
        for (String set : List.of("prompts.limit=2", "repetitions=1", "warmup=0", more)) {
            command.addAll(List.of("--set", set));
        }
        var run = Run.of(command.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        return folder.resolve(name).resolve("in-cache");
    }
}
