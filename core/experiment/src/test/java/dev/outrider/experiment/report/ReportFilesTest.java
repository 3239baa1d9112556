package dev.outrider.experiment.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.experiment.results.WrittenResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportFilesTest {
    @TempDir Path folder;

    @Test
    void writesThePageAndEveryDrawingAndTableBesideIt() throws Exception {
        ReportFiles files = write(WrittenResults.in(folder), folder.resolve("out"));

        assertThat(files.page()).exists();
        assertThat(names(files.folder()))
                .contains("report.md", "summary.csv", "speedup.svg", "stages.svg", "speedup.csv")
                .noneMatch(name -> name.endsWith(".part"));
        for (String name : names(files.folder())) {
            if (name.endsWith(".svg")) {
                var svg = Parsed.xml(Files.readString(files.folder().resolve(name)));
                assertThat(svg.getDocumentElement().getAttribute("xmlns"))
                        .isEqualTo("http://www.w3.org/2000/svg");
                assertThat(Parsed.all(svg, "style")).hasSize(1);
                assertThat(files.folder().resolve(name.replace(".svg", ".csv"))).exists();
            }
        }
    }

    @Test
    void theSameResultsGiveTheSameBytes() throws Exception {
        Path results = WrittenResults.in(folder);
        ReportFiles first = write(results, folder.resolve("first"));
        ReportFiles second = write(results, folder.resolve("second"));

        assertThat(Files.readString(second.page())).isEqualTo(Files.readString(first.page()));
        for (String name : names(first.folder())) {
            assertThat(second.folder().resolve(name))
                    .hasSameTextualContentAs(first.folder().resolve(name));
        }
    }

    @Test
    void aDrawingThatThereIsNoMoreDoesNotStay() throws Exception {
        Path results = WrittenResults.in(folder);
        Path out = folder.resolve("out");
        Path drawing = write(results, out).folder().resolve("acceptance.svg");
        assertThat(drawing).exists();
        Path details = results.resolve("details.json");
        String text = Files.readString(details);
        Files.writeString(
                details, text.replaceAll("\"positions\" : \\[[^]]*]", "\"positions\" : []"));

        write(results, out);

        assertThat(drawing).doesNotExist();
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static ReportFiles write(Path results, Path out) {
        return ReportFiles.write(results, out, Optional.empty(), Optional.empty());
    }
}
