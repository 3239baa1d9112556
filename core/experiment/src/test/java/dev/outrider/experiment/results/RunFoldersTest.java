package dev.outrider.experiment.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunFoldersTest {
    private static final Instant NOON = Instant.parse("2026-08-01T12:00:00Z");

    @TempDir Path results;

    @Test
    void runsOfOneSecondHaveFoldersOfTheirOwn() {
        var runs = new RunFolders(results.resolve("x"));

        assertThat(runs.fresh(NOON)).hasFileName("20260801T120000Z").isDirectory();
        assertThat(runs.fresh(NOON)).hasFileName("20260801T120000Z-2");
        assertThat(runs.fresh(NOON.plusSeconds(1))).hasFileName("20260801T120001Z");
    }

    @Test
    void theNewestIsTheLastWithResults() throws IOException {
        var runs = new RunFolders(results.resolve("x"));
        assertThat(runs.newest()).isEmpty();
        for (int run = 1; run <= 11; run++) {
            Files.writeString(runs.fresh(NOON).resolve("summary.json"), "[]");
        }
        runs.fresh(NOON.plusSeconds(1));
        Files.createDirectory(runs.experiment().resolve("notes"));

        assertThat(runs.newest())
                .hasValueSatisfying(
                        newest -> assertThat(newest).hasFileName("20260801T120000Z-11"));
    }

    @Test
    void aRunWithoutResultsIsUnfinishedUntilANewerOneHasThem() throws IOException {
        var runs = new RunFolders(results.resolve("x"));
        assertThat(runs.unfinished()).isEmpty();
        Path cutOff = runs.fresh(NOON);
        assertThat(runs.unfinished()).contains(cutOff);
        Files.writeString(runs.fresh(NOON).resolve("summary.json"), "[]");
        assertThat(runs.unfinished()).isEmpty();
    }

    @Test
    void aClockThatGoesBackMakesNoRunOlder() throws IOException {
        var runs = new RunFolders(results.resolve("x"));
        for (var now : List.of(NOON, NOON.minusSeconds(3600))) {
            Files.writeString(runs.fresh(now).resolve("summary.json"), "[]");
        }

        assertThat(runs.newest())
                .hasValueSatisfying(newest -> assertThat(newest).hasFileName("20260801T120000Z-2"));
    }

    @Test
    void whereThereAreNoLinksNothingIsLeftBehind() throws IOException {
        var runs = new RunFolders(results.resolve("x"));
        Path run = runs.fresh(NOON);
        Files.createDirectories(runs.experiment().resolve("latest/in-the-way"));

        assertThat(runs.link(run)).isFalse();
        try (var entries = Files.list(runs.experiment())) {
            assertThat(entries.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("20260801T120000Z", "latest");
        }
    }

    @Test
    void theLinkMovesOn() throws IOException {
        var runs = new RunFolders(results.resolve("x"));
        Path first = runs.fresh(NOON);
        Path second = runs.fresh(NOON);
        runs.link(first);
        runs.link(second);

        assertThat(runs.experiment().resolve("latest").toRealPath()).isEqualTo(second.toRealPath());
    }
}
