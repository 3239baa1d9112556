package dev.outrider.experiment.report.paper;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.experiment.report.WrittenResults;
import dev.outrider.experiment.report.chart.Figures;
import dev.outrider.experiment.report.read.ResultReader;
import dev.outrider.experiment.report.table.SummaryTable;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CsvTest {
    @TempDir Path folder;

    @Test
    void keepsEveryDigitOfTheSummary() throws Exception {
        Path results = WrittenResults.in(folder);
        String csv = Csv.of(SummaryTable.of(ResultReader.read(results)));
        var summary = new ObjectMapper().readTree(results.resolve("summary.json").toFile());

        List<String> lines = csv.lines().toList();
        assertThat(lines.getFirst())
                .isEqualTo(
                        "variant,drafter,rule,temperature,tokensPerSecond,speedup,speedupLow,speedupHigh,predictedSpeedup,"
                                + "tokensPerRound,alpha,draftLength,c,engineShare,losslessness,evidence");
        var first = List.of(lines.get(1).split(","));
        assertThat(first.get(4)).isEqualTo(summary.get(0).get("tokensPerSecond").toString());
        assertThat(first.get(6)).isEqualTo(summary.get(0).get("speedup").get("low").toString());
        assertThat(first.get(10)).isEqualTo(summary.get(0).get("alpha").toString());
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
        String text = Markdown.of(results, Figures.of(results));
        assertThat(text)
                .startsWith(
                        "# fake\n\nDoes a table speed a table up?\n\n| variant | drafter | rule | T |")
                .contains("\n| a\\|b &lt;i>\\*c\\*&lt;/i> | table | greedy | 0.00 |")
                .contains("![Acceptance by position](acceptance.svg)")
                .contains("revision abc with uncommitted changes");
    }
}
