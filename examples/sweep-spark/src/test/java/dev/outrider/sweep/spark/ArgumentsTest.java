package dev.outrider.sweep.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ArgumentsTest {
    @TempDir private Path folder;

    @Test
    void theLauncherIsOnThePathUnlessItIsNamed() {
        assertThat(Arguments.of("--plan", "p.json"))
                .isEqualTo(new Arguments("p.json", "outrider", List.of()));
        assertThat(Arguments.of("--check", "--outrider", "/o/outrider", "--plan", "p.json"))
                .isEqualTo(new Arguments("p.json", "/o/outrider", List.of("--check")));
    }

    @Test
    void saysWhatIsWrong() {
        assertThatThrownBy(() -> Arguments.of()).hasMessage("--plan is missing");
        assertThatThrownBy(() -> Arguments.of("--plan")).hasMessage("--plan needs a file");
        assertThatThrownBy(() -> Arguments.of("--plans", "x")).hasMessage("'--plans' is no option");
    }

    @Test
    void countsTheCellsOfAPlanAndOfNothingElse() throws IOException {
        Path plan = Files.writeString(folder.resolve("plan.json"), "{\"cells\": [{}, {}]}");
        assertThat(SparkSweep.cells(plan)).isEqualTo(2);
        Path empty = Files.writeString(folder.resolve("empty.json"), "{\"cells\": []}");
        assertThatThrownBy(() -> SparkSweep.cells(empty))
                .hasMessage("'%s' is no plan: it has no cells".formatted(empty));
        assertThatThrownBy(() -> SparkSweep.cells(folder.resolve("none")))
                .hasMessageStartingWith("'%s' cannot be read".formatted(folder.resolve("none")));
    }
}
