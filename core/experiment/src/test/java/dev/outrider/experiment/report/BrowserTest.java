package dev.outrider.experiment.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outrider.experiment.report.chart.Figures;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.WrittenResults;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The page in a real browser; skipped if none is installed.
final class BrowserTest {
    private static final Pattern POLICY =
            Pattern.compile("<meta http-equiv=\"Content-Security-Policy\"[^>]*>");

    @TempDir static Path shared;
    private static String page = "";

    @TempDir Path work;
    private Chromium browser = new Chromium(Path.of(""));

    @BeforeAll
    static void write() throws Exception {
        var results = ResultReader.read(WrittenResults.in(shared));
        page = HtmlPage.of(results, Figures.of(results), Optional.empty(), Optional.empty());
    }

    @BeforeEach
    void find() {
        var found = Chromium.installed();
        assumeTrue(
                found.isPresent(), "no chromium on the PATH: the page was not tried in a browser");
        browser = found.get();
    }

    @Test
    void headingsSortTheTableByTheirExactNumbers() throws Exception {
        assertThat(variants(page)).containsExactly("plain", "plain, T = 1", "chain", "sampled");
        String click = "document.querySelector('th[data-key=\"%s\"] button').click();";
        String ascending = dump(page, click.formatted("speedup"));
        String descending = dump(page, click.formatted("speedup") + click.formatted("speedup"));
        assertThat(variants(ascending)).isNotEqualTo(variants(descending));
        assertThat(values(ascending, "data-low")).hasSize(4);
        assertThat(medians(ascending)).isSorted();
        assertThat(ascending).containsPattern("data-key=\"speedup\"[^>]*aria-sort=\"ascending\"");
        assertThat(variants(dump(page, click.formatted("variant") + click.formatted("variant"))))
                .containsExactly("sampled", "plain, T = 1", "plain", "chain");
    }

    @Test
    void thePolicyStopsAnyOtherScript() throws Exception {
        String intruder = "<script>document.title = 'taken over';</script></body>";
        String with = page.replace("</body>", intruder);
        assertThat(shown(with)).doesNotContain("<title>taken over</title>");
        // Without the policy the foreign script runs: the test can fail.
        assertThat(shown(POLICY.matcher(with).replaceFirst("")))
                .contains("<title>taken over</title>");
    }

    @Test
    void itsOwnScriptRunsUnderThePolicy() throws Exception {
        assertThat(POLICY.matcher(page).find()).isTrue();
        assertThat(page).doesNotContain("data-sortable");
        assertThat(shown(page)).containsPattern("<th [^>]*data-key=\"speedup\"[^>]*data-sortable");
        // With one more character, the policy stops the script.
        assertThat(shown(page.replace("dataset.sortable = \"\"", "dataset.sortable = \"x\"")))
                .doesNotContain("data-sortable");
    }

    @Test
    void itsOwnStyleAppliesUnderThePolicy() throws Exception {
        var picture = ImageIO.read(browser.picture(save(page), work, 1200, 900).toFile());
        assertThat(picture.getWidth()).isEqualTo(1200);
        // The style sheet centres the page and leaves room at its variants; unstyled text begins at
        // 8 pixels.
        var colours = new HashSet<Integer>();
        for (int x = 0; x < 1200; x += 3) {
            for (int y = 0; y < 900; y += 3) {
                colours.add(picture.getRGB(x, y));
            }
        }
        assertThat(colours).hasSizeGreaterThan(20);
    }

    /// Returns the page with one more script, which the policy should stop.
    private String dump(String html, String script) throws Exception {
        String free = POLICY.matcher(html).replaceFirst("");
        return shown(free.replace("</body>", "<script>" + script + "</script></body>"));
    }

    private String shown(String html) throws Exception {
        return browser.dump(save(html), work);
    }

    private Path save(String html) throws Exception {
        return Files.writeString(work.resolve("page.html"), html);
    }

    private static List<String> variants(String html) {
        return rows(html).stream()
                .map(row -> row.replaceFirst("(?s)^.*?<td>(.*?)</td>.*$", "$1"))
                .toList();
    }

    private static List<Double> medians(String html) {
        return rows(html).stream()
                .map(row ->
                        Double.valueOf(
                                row.replaceFirst(
                                        "(?s)^.*data-value=\"([^\"]*)\" data-low=.*$", "$1")))
                .toList();
    }

    private static List<String> values(String html, String attribute) {
        return rows(html).stream().filter(row -> row.contains(attribute)).toList();
    }

    private static List<String> rows(String html) {
        String table =
                html.replaceFirst(
                        "(?s)^.*?<table class=\"sortable\">.*?<tbody>(.*?)</tbody>.*$", "$1");
        var rows = new ArrayList<String>();
        var row = Pattern.compile("<tr>(.*?)</tr>", Pattern.DOTALL).matcher(table);
        while (row.find()) {
            rows.add(row.group(1));
        }
        return rows;
    }
}
