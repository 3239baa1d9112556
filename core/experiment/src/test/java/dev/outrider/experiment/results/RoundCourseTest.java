package dev.outrider.experiment.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.experiment.report.HtmlPage;
import dev.outrider.experiment.report.chart.Figures;
import dev.outrider.experiment.report.chart.RoundCourse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The rounds of a variant whose policy gives reasons, in the order of the run.
final class RoundCourseTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir Path folder;

    @Test
    void variantsOfOneLengthHaveNoCourse() throws IOException {
        var results = ResultReader.read(WrittenResults.in(folder));

        assertThat(RoundCourse.of(results)).isEmpty();
        assertThat(HtmlPage.of(results, Figures.of(results), Optional.empty(), Optional.empty()))
                .doesNotContain("id=\"reasons\"");
    }

    @Test
    void reasonsAreCountedWithTheirMeans() throws IOException {
        var results = explained();

        var courses = RoundCourse.of(results);

        assertThat(courses).extracting(RoundCourse::variant).containsExactly("chain");
        var course = courses.getFirst();
        int all = course.rounds().size();
        var reasons = course.reasons();
        assertThat(reasons).extracting(RoundCourse.Reason::why).containsExactly("best", "trial");
        assertThat(reasons.getLast().rounds()).isEqualTo((all + 3) / 4);
        assertThat(reasons.getFirst().rounds() + reasons.getLast().rounds()).isEqualTo(all);
        assertThat(reasons.getFirst().share() + reasons.getLast().share())
                .isCloseTo(1, within(1e-12));
        assertThat(
                        reasons.getFirst().depth() * reasons.getFirst().rounds()
                                + reasons.getLast().depth() * reasons.getLast().rounds())
                .isCloseTo(
                        course.rounds().stream().mapToInt(RoundLine.Round::depth).sum(),
                        within(1e-9));
    }

    @Test
    void thePageCountsTheReasons() throws IOException {
        var results = explained();

        var page = HtmlPage.of(results, Figures.of(results), Optional.empty(), Optional.empty());

        assertThat(page).contains("id=\"reasons\"", "<td>trial</td>");
    }

    /// Every fourth round of the chain is a trial, the others are with the best length.
    private Results explained() throws IOException {
        Path place = WrittenResults.in(folder);
        var lines = new ArrayList<String>();
        int number = 0;
        for (String line : Files.readAllLines(place.resolve("rounds.jsonl"))) {
            var read = (ObjectNode) JSON.readTree(line);
            if (read.get("variant").asText().equals("chain")) {
                ((ObjectNode) read.get("round")).put("why", number++ % 4 == 0 ? "trial" : "best");
            }
            lines.add(JSON.writeValueAsString(read));
        }
        Files.write(place.resolve("rounds.jsonl"), List.copyOf(lines));
        return ResultReader.read(place);
    }
}
