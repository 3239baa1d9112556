package dev.outrider.experiment.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredDraftsTest {
    private static final String SIDE =
            """
            {"name": "%s", "tokensPerRound": %s, "speedup": {"median": 1.25, "low": 1, "high": 2},
             "counts": {"rounds": 10, "drafted": %d, "unverified": %d}}\
            """;

    @TempDir private Path folder;

    @Test
    void rowsAreTheRootAndEveryNode() throws IOException {
        write(
                "{\"sides\": [%s, %s]}"
                        .formatted(
                                SIDE.formatted("plain", "1.0", 0, 0),
                                SIDE.formatted("lookahead", "1.5", 25, 90)));

        assertThat(MeasuredDrafts.read(folder))
                .containsExactly(new MeasuredDrafts("lookahead", 12.5, 1.5, 1.25));
    }

    @Test
    void aFolderWithoutResultsIsRefused() throws IOException {
        refused("NoSuchFileException");
        write("not json");
        refused("Unrecognized token");
        write("{}");
        refused("no variant drafted anything");
        write(
                "{\"sides\": [{\"name\": \"x\", \"counts\": {\"drafted\": true, \"unverified\": 1}}]}");
        refused("'drafted' is no number");
    }

    private void write(String details) throws IOException {
        Files.writeString(folder.resolve("details.json"), details);
    }

    private void refused(String reason) {
        assertThatThrownBy(() -> MeasuredDrafts.read(folder))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(
                        "DATA_INVALID: '%s' does not hold the results of a comparison: "
                                .formatted(folder.resolve("details.json")))
                .hasMessageContaining(reason)
                .hasMessageEndingWith(
                        "Name a folder that 'outrider bench' has written, such as results/quickstart.");
    }
}
