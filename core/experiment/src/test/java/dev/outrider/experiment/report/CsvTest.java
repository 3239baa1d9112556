package dev.outrider.experiment.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.experiment.report.chart.Figures;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.WrittenResults;
import dev.outrider.experiment.table.VariantColumns;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CsvTest {
    @TempDir Path folder;

    @Test
    void keepsEveryDigitOfTheSummary() throws Exception {
        Path results = WrittenResults.in(folder);
        String csv = Csv.of(SummaryTable.whole(ResultReader.read(results)));
        var summary = new ObjectMapper().readTree(results.resolve("summary.json").toFile());

        List<String> lines = csv.lines().toList();
        assertThat(lines.getFirst())
                .startsWith(
                        "variant,drafter,rule,temperature,beams,tokensPerSecond,speedup,speedupLow,speedupHigh,expectedSpeedup,");
        var heads = List.of(lines.getFirst().split(","));
        assertThat(heads)
                .filteredOn(head -> !head.matches("(speedup|ranking.toBest)(Low|High)"))
                .containsExactlyElementsOf(
                        VariantColumns.ALL.stream().map(column -> column.term().key()).toList());
        var first = List.of(lines.get(3).split(","));
        var variant = summary.get(2);
        assertThat(first.get(heads.indexOf("speedupLow")))
                .isEqualTo(variant.get("speedup").get("low").toString());
        for (String key : List.of("tokensPerSecond", "alpha", "draftNodes", "engineShare")) {
            assertThat(first.get(heads.indexOf(key))).isEqualTo(variant.get(key).toString());
        }
        assertThat(first.get(heads.indexOf("latencyMillis.p90")))
                .isEqualTo(variant.get("latencyMillis").get("p90").toString());
    }

    @Test
    void quotesWhatWouldBreakALineAndDisarmsFormulas() {
        assertThat(Csv.of(List.of(List.of("a,b", "say \"x\"", "two\nlines", "=1+1", "-2.5", "@x"))))
                .isEqualTo("\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",'=1+1,-2.5,'@x\r\n");
    }

    @Test
    void markdownHasTheSameRowsAndTakesForeignTextLiterally() throws Exception {
        var results =
                ResultReader.read(
                        WrittenResults.in(
                                folder,
                                WrittenResults.YAML.replace(
                                        "name: chain", "name: 'a|b <i>*c*</i>'"),
                                "{\"prompt\": \"ab\"}\n"));
        String text = Markdown.of(results, Figures.of(results), Optional.empty());
        assertThat(text)
                .startsWith(
                        "# fake\n\nDoes a table speed a table up?\n\n| variant | drafter | rule | T |")
                .contains("\n| a\\|b &lt;i>\\*c\\*&lt;/i> | table | greedy | 0.00 |")
                .contains("![Acceptance by position](acceptance.svg)")
                .contains("revision abc with uncommitted changes");
    }
}
