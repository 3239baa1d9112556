package dev.outrider.experiment.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.config.ConfigLoader;
import dev.outrider.experiment.run.FakeClock;
import dev.outrider.experiment.run.TablePlugin;
import dev.outrider.experiment.verify.VerificationSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SweepVerificationTest {
    private static final VerificationSettings SETTINGS =
            new VerificationSettings(300, 600, 60, .06, .9, 1);

    @TempDir Path folder;

    private final List<Integer> looked = new ArrayList<>();

    @Test
    void whateverEndsTheRunTheNextOneGoesOnWithTheCellThatWasCutOff() throws IOException {
        assertThat(verify(2)).hasSize(1);
        var all = verify(Integer.MAX_VALUE);

        assertThat(all).extracting(VerifiedCell::index).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(looked).containsExactly(0, 1, 1, 2, 3, 4, 5);
        assertThat(all).allMatch(cell -> cell.settings().alpha() == SETTINGS.alpha() / 6);
        assertThat(SweepVerificationTable.rejected(all)).isFalse();
        assertThat(SweepVerificationTable.of(List.of(), all, 6, .06))
                .contains("6 combinations in 6 of 6 cells: ")
                .contains(" 0 REJECTED");
    }

    private List<VerifiedCell> verify(int most) throws IOException {
        var file = Files.writeString(folder.resolve("tables.yaml"), TableSweep.FILE);
        var sweep = TableSweep.of(file, folder.resolve("out"));
        var plan = sweep.folder().adopt(sweep.plan());
        var clock = new FakeClock();
        var loader = new ConfigLoader(TablePlugin.installed(clock), folder);
        return new SweepVerification(
                        plan, sweep.folder(), SETTINGS, () -> 0, () -> looked.size() >= most)
                .run(
                        cell -> {
                            looked.add(cell.index());
                            return CellRunner.load(loader, cell, sweep.folder()).config();
                        },
                        (_, _) -> {});
    }
}
