package dev.outrider.experiment.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.config.ConfigLoader;
import dev.outrider.experiment.results.Provenance.GitState;
import dev.outrider.experiment.run.FakeClock;
import dev.outrider.experiment.run.TablePlugin;
import dev.outrider.experiment.sweep.SweepVerification.VerifiedCell;
import dev.outrider.experiment.verify.VerificationSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SweepVerificationTest {
    private VerificationSettings settings = new VerificationSettings(300, 600, 60, .06, .9, 1, 1);
    private boolean checked = true;

    @TempDir Path folder;

    private final List<Integer> looked = new ArrayList<>();

    @Test
    void whateverEndsTheRunTheNextOneGoesOnWithTheCellThatWasCutOff() throws IOException {
        assertThat(verify("abc", 2)).hasSize(1);
        var all = verify("abc", Integer.MAX_VALUE);

        assertThat(all).extracting(VerifiedCell::index).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(looked).containsExactly(0, 1, 1, 2, 3, 4, 5);
        assertThat(all).allMatch(cell -> cell.settings().alpha() == settings.alpha() / 6);
        assertThat(SweepVerificationTable.rejected(all)).isFalse();
        assertThat(SweepVerificationTable.of(List.of(), all, 6, .06))
                .contains("6 combinations in 6 of 6 cells: ")
                .contains(" 0 REJECTED");
    }

    @Test
    void whatAnotherRevisionFoundIsNotMixedIn() throws IOException {
        verify("abc", 2);

        assertThatThrownBy(() -> verify("def", Integer.MAX_VALUE))
                .hasMessageContaining("RESULTS_MIXED: cells of '%s".formatted(folder))
                .hasMessageContaining(" were verified by revision abc (1), this one is def (1)");
        assertThat(looked).containsExactly(0, 1);
    }

    @Test
    void whatOtherSettingsFoundIsNeitherMixedInNorThrownAway() throws IOException {
        verify("abc", 2);
        settings = new VerificationSettings(30, 60, 60, .06, .9, 1, 1);

        assertThatThrownBy(() -> verify("abc", Integer.MAX_VALUE))
                .hasMessageContaining("RESULTS_MIXED: cells of '%s".formatted(folder))
                .hasMessageContaining(
                        " were verified with --samples 300 --tokens 600 --time 60 --alpha 0.06 --effect 0.9,"
                                + " now --samples 30 --tokens 60 --time 60 --alpha 0.06 --effect 0.9 is asked for");
    }

    @Test
    void cellsThatWereNotCheckedAreLookedAtAgain() throws IOException {
        checked = false;
        verify("abc", 2);
        checked = true;
        verify("abc", 4);

        assertThat(looked).containsExactly(0, 1, 0, 1);
    }

    @Test
    void atTemperature0TheTableShowsHowManyIdsAreEqualAndNoTests() throws IOException {
        var table = SweepVerificationTable.of(List.of(), verify("abc", Integer.MAX_VALUE), 6, .06);

        var greedy = table.lines().skip(1).findFirst().orElseThrow();
        assertThat(greedy.split(" {2,}"))
                .containsExactly(
                        "chain", "table", "greedy", "not rejected", "3/3", "-", "-", "-", "-");
        assertThat(table.lines().skip(2).findFirst().orElseThrow()).endsWith(" %");
    }

    private List<VerifiedCell> verify(String revision, int most) throws IOException {
        var file = Files.writeString(folder.resolve("tables.yaml"), TableSweep.FILE);
        var sweep = TableSweep.of(file, folder.resolve("out"));
        var plan = sweep.folder().adopt(sweep.plan());
        var clock = new FakeClock();
        var loader = new ConfigLoader(TablePlugin.installed(clock), folder);
        return new SweepVerification(
                        plan,
                        sweep.folder(),
                        settings,
                        checked,
                        TableSweep.host(new GitState(revision, false), () -> 0),
                        () -> looked.size() >= most)
                .run(
                        cell -> {
                            looked.add(cell.index());
                            return CellRunner.load(loader, cell, sweep.folder()).config();
                        },
                        (_, done, _) -> assertThat(looked).last().isEqualTo(done));
    }
}
