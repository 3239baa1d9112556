package dev.outrider.experiment.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultReaderTest {
    @TempDir Path folder;

    @Test
    void readsBackWhatAComparisonWrote() throws IOException {
        Results results = ResultReader.read(WrittenResults.in(folder));

        assertThat(results.name()).isEqualTo("fake");
        assertThat(results.several()).isFalse();
        assertThat(results.question()).isEqualTo("Does a table speed a table up?");
        assertThat(results.entries())
                .extracting(Results.Entry::label)
                .containsExactly("chain", "sampled");
        var chain = results.entries().getFirst().variant();
        assertThat(chain.counts().histogram()).isNotEmpty();
        assertThat(chain.meanNanos().passByRows()).containsKey(4);
        assertThat(results.entries().get(1).variant().exactness().evidence())
                .hasValueSatisfying(each -> assertThat(each.tests()).hasSize(1));
        assertThat(chain.baseline()).isEqualTo("plain");
    }

    @Test
    void aFolderOfFoldersIsSeveralComparisons() throws IOException {
        copy(WrittenResults.in(folder), folder.resolve("again"));
        Files.createDirectories(folder.resolve("empty"));

        Results results = ResultReader.read(folder);

        assertThat(results.cells()).extracting(Cell::title).containsExactly("again", "fake");
        assertThat(results.entries().getFirst().label()).isEqualTo("again: chain");
    }

    @Test
    void aSweepIsItsFinishedCellsInTheirOrder() throws IOException {
        Path sweep = folder.resolve("sweep");
        Path result = WrittenResults.in(folder);
        cell(result, sweep, "0000-a", "{'index': 1, 'labels': {'temperature': '1'}}");
        cell(result, sweep, "0001-b", "{'index': 0, 'labels': {'temperature': '0'}, 'new': 1}");
        copy(result, sweep.resolve("cells/0002-c"));
        Path failed = Files.createDirectories(sweep.resolve("cells/0003-d"));
        write(
                failed.resolve("failure.json"),
                "{'index': 3, 'labels': {'temperature': '2'}, 'code': 'OUT_OF_MEMORY', 'message': 'too large'}");
        write(
                sweep.resolve("sweep.json"),
                "{'planned': 5, 'refused': [{'labels': {'rule': 'x'}, 'reason': 'lossy'}]}");

        Results results = ResultReader.read(sweep);

        assertThat(results.cells()).extracting(Cell::title).containsExactly("T 0", "T 1");
        assertThat(results.gaps())
                .containsExactly(
                        "2 of 5 cells have a result.",
                        "failed: temperature 2 (OUT_OF_MEMORY: too large)",
                        "refused: rule x (lossy)");
    }

    @Test
    void saysWhatIsMissingAndWhatToName() {
        assertThatThrownBy(() -> ResultReader.read(folder))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        DATA_INVALID: '%s' holds no results: there is no summary.json in it, in cells/ or in a folder directly below
                          Name a folder that 'outrider bench' or 'outrider sweep' has written, such as results/quickstart.\
                        """
                                .formatted(folder));
    }

    @Test
    void saysWhichRunIsUnfinished() throws IOException {
        Path experiment = folder.resolve("results/x");
        Path cutOff = Files.createDirectories(experiment.resolve("20260801T130000Z"));
        Files.createFile(cutOff.resolve("rounds.jsonl"));
        for (Path named : List.of(cutOff, experiment)) {
            assertThatThrownBy(() -> ResultReader.read(named))
                    .hasMessage(
                            """
                            DATA_INVALID: the run in '%s' is unfinished: there is no summary.json
                              Wait if it goes on still, or run the experiment again. What it measured is in its rounds.jsonl and generations.jsonl.\
                            """
                                    .formatted(cutOff.toRealPath()));
        }

        copy(WrittenResults.in(folder), experiment.resolve("20260801T120000Z"));
        for (Path named : List.of(experiment, folder.resolve("results"))) {
            assertThat(ResultReader.read(named).gaps())
                    .containsExactly("unfinished: x/20260801T130000Z (no summary.json)");
        }
    }

    @Test
    void namesTheFileThatIsBroken() throws IOException {
        Path results = WrittenResults.in(folder);
        Files.writeString(results.resolve("details.json"), "{\"question\": \"why\",\n broken");
        assertThatThrownBy(() -> ResultReader.read(results))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(
                        "DATA_INVALID: '%s' cannot be read as results"
                                .formatted(results.resolve("details.json")))
                .hasMessageContaining("line 2");
    }

    @Test
    void aNumberThatIsMissingIsNotTakenForZero() throws IOException {
        Path results = WrittenResults.in(folder);
        Path details = results.resolve("details.json");
        String text = Files.readString(details);
        Files.writeString(details, text.replace("\"tokensPerSecond\"", "\"omega\""));
        assertThatThrownBy(() -> ResultReader.read(results))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining(
                        "results: variants.0.speed.tokensPerSecond is missing or of the wrong type, line ");
    }

    @Test
    void resultsOfAnotherFormatSayWhatToDo() throws IOException {
        Path results = WrittenResults.in(folder);
        Path details = results.resolve("details.json");
        String text = Files.readString(details);
        refused(results, text.replace("\"format\" : 7", "\"format\" : 2"), 2);
        refused(results, text.replace("\"format\" : 7,", ""), 1);
    }

    private static void refused(Path results, String text, int format) throws IOException {
        Path details = results.resolve("details.json");
        Files.writeString(details, text);
        assertThatThrownBy(() -> ResultReader.read(results))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        DATA_INVALID: '%s' is of format %d, which another version of Outrider wrote; expected format 7
                          Run the comparison again, or read it with the version that 'git' in provenance.json names.\
                        """
                                .formatted(details.toAbsolutePath(), format));
    }

    private static void cell(Path from, Path sweep, String id, String json) throws IOException {
        Path to = sweep.resolve("cells").resolve(id);
        copy(from, to);
        write(to.resolve("cell.json"), json);
    }

    private static void write(Path file, String json) throws IOException {
        Files.writeString(file, json.replace('\'', '"'));
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }
}
