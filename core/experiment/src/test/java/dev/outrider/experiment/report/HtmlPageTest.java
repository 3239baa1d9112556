package dev.outrider.experiment.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.experiment.report.chart.Figures;
import dev.outrider.experiment.report.chart.Markup;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.WrittenResults;
import dev.outrider.experiment.run.Samples;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

final class HtmlPageTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir Path folder;

    private Path results = Path.of("");

    @BeforeEach
    void run() throws Exception {
        results = WrittenResults.in(folder);
    }

    @Test
    void isWellFormedAndLoadsNothing() throws Exception {
        Document page = Parsed.xml(page());
        for (Element element : Parsed.all(page, "*")) {
            for (int i = 0; i < element.getAttributes().getLength(); i++) {
                var attribute = element.getAttributes().item(i);
                if (List.of("src", "href", "srcset", "action", "data")
                        .contains(attribute.getNodeName())) {
                    assertThat(attribute.getNodeValue()).startsWith("#");
                }
                assertThat(attribute.getNodeName()).doesNotStartWith("on").isNotEqualTo("style");
            }
        }
        assertThat(Parsed.all(page, "style").getFirst().getTextContent())
                .doesNotContain("url(", "@import");
        assertThat(Parsed.all(page, "script").getFirst().getTextContent())
                .doesNotContain("fetch", "XMLHttp", "import ", "eval");
    }

    @Test
    void hasItsSectionsInOrderAndEachIsReachable() throws Exception {
        Document page = Parsed.xml(page());
        var sections =
                Parsed.all(page, "section").stream().map(each -> each.getAttribute("id")).toList();
        assertThat(sections)
                .startsWith("summary", "rankings", "speedup", "acceptance", "stages")
                .endsWith("exactness", "provenance")
                .doesNotHaveDuplicates();
        assertThat(Parsed.all(page, "a").stream().map(each -> each.getAttribute("href")))
                .containsExactlyElementsOf(sections.stream().map(id -> "#" + id).toList());
        var ids =
                Parsed.all(page, "*").stream()
                        .map(each -> each.getAttribute("id"))
                        .filter(id -> !id.isEmpty())
                        .toList();
        assertThat(ids).doesNotHaveDuplicates();
    }

    @Test
    void everyNumberOfTheTableIsTheSummarys() throws Exception {
        assertTableIsSummary(Parsed.xml(page()));

        // The table must be read from the file, not computed again: another number in the file is
        // another number in the table.
        var summary = (ArrayNode) JSON.readTree(results.resolve("summary.json").toFile());
        ((ObjectNode) summary.get(2)).put("tokensPerSecond", 4711.25);
        JSON.writeValue(results.resolve("summary.json").toFile(), summary);
        var details = (ObjectNode) JSON.readTree(results.resolve("details.json").toFile());
        ((ObjectNode) details.get("variants").get(1).get("speed")).put("tokensPerSecond", 4711.25);
        JSON.writeValue(results.resolve("details.json").toFile(), details);
        Document changed = Parsed.xml(page());
        assertTableIsSummary(changed);
        assertThat(cells(changed).get(2).get(4).getTextContent()).isEqualTo("4711.3");
    }

    private void assertTableIsSummary(Document page) throws Exception {
        JsonNode summary = JSON.readTree(results.resolve("summary.json").toFile());
        List<String> keys =
                Parsed.all(Parsed.byId(page, "summary"), "th").stream()
                        .map(head -> head.getAttribute("data-key"))
                        .toList();
        List<List<Element>> rows = cells(page);
        assertThat(rows).hasSize(summary.size()).hasSize(4);
        int numbers = 0;
        for (int row = 0; row < rows.size(); row++) {
            for (int column = 0; column < keys.size(); column++) {
                Element cell = rows.get(row).get(column);
                JsonNode value = summary.get(row).at("/" + keys.get(column).replace('.', '/'));
                if (value.isNumber()) {
                    assertThat(number(cell, "data-value")).isEqualTo(value.asDouble());
                    numbers++;
                } else if (value.has("value")) {
                    assertThat(number(cell, "data-value")).isEqualTo(value.get("value").asDouble());
                    assertThat(number(cell, "data-low")).isEqualTo(value.get("low").asDouble());
                    assertThat(number(cell, "data-high")).isEqualTo(value.get("high").asDouble());
                    numbers++;
                } else if (value.isTextual()) {
                    assertThat(cell.getTextContent()).isEqualTo(value.asText());
                }
            }
        }
        assertThat(numbers)
                .isGreaterThanOrEqualTo(2 * 8)
                .isEqualTo(
                        (int)
                                rows.stream()
                                        .flatMap(List::stream)
                                        .filter(cell -> cell.hasAttribute("data-value"))
                                        .count());
    }

    private static double number(Element cell, String attribute) {
        return Double.parseDouble(cell.getAttribute(attribute));
    }

    private static List<List<Element>> cells(Document page) {
        var table = Parsed.all(Parsed.byId(page, "summary"), "tbody").getFirst();
        return Parsed.all(table, "tr").stream().map(row -> Parsed.all(row, "td")).toList();
    }

    @Test
    void foreignTextStaysText() throws Exception {
        String attack =
                "</script><script>alert(1)</script><img src=x onerror=alert(2)>&amp;\u0001\"'";
        var details = (ObjectNode) JSON.readTree(results.resolve("details.json").toFile());
        details.put("question", attack);
        ((ObjectNode) details.get("variants").get(1))
                .put("variant", attack)
                .put("drafter", attack)
                .put("rule", attack);
        ((ObjectNode) details.get("kinds").get(0)).put("kind", attack);
        ((ObjectNode) details.get("kinds").get(0).get("variants").get(0)).put("variant", attack);
        JSON.writeValue(results.resolve("details.json").toFile(), details);
        var provenance = (ObjectNode) JSON.readTree(results.resolve("provenance.json").toFile());
        ((ObjectNode) provenance.get("machine")).put("device", attack);
        JSON.writeValue(results.resolve("provenance.json").toFile(), provenance);

        Document page = Parsed.xml(page());

        assertThat(Parsed.all(page, "script")).hasSize(1);
        assertThat(Parsed.all(page, "img")).isEmpty();
        String shown = attack.replace('\u0001', '\uFFFD');
        assertThat(cells(page).get(2).getFirst().getTextContent()).isEqualTo(shown);
        assertThat(Parsed.byId(page, "provenance").getTextContent()).contains(shown);
        assertThat(page.getDocumentElement().getTextContent()).contains(shown);
    }

    @Test
    void itsPolicyAllowsItsOwnScriptAndStyleAndNoOther() throws Exception {
        Document page = Parsed.xml(page());
        String policy =
                Parsed.all(page, "meta").stream()
                        .filter(meta ->
                                meta.getAttribute("http-equiv").equals("Content-Security-Policy"))
                        .findFirst()
                        .orElseThrow()
                        .getAttribute("content");
        assertThat(policy)
                .isEqualTo(
                        "default-src 'none'; style-src '%s'; script-src '%s'"
                                .formatted(
                                        digest(Parsed.all(page, "style").getFirst()),
                                        digest(Parsed.all(page, "script").getFirst())));
    }

    private static String digest(Element element) throws Exception {
        byte[] bytes = element.getTextContent().getBytes(StandardCharsets.UTF_8);
        return "sha256-"
                + Base64.getEncoder()
                        .encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
    }

    @Test
    void whatIsMissingIsASentenceAndNotAnEmptyDrawing() throws Exception {
        var details = (ObjectNode) JSON.readTree(results.resolve("details.json").toFile());
        ((ArrayNode) details.get("variants")).removeAll();
        ((ArrayNode) details.get("kinds")).removeAll();
        ((ArrayNode) details.get("costCurve")).removeAll();
        JSON.writeValue(results.resolve("details.json").toFile(), details);
        Files.delete(results.resolve("provenance.json"));
        Files.delete(results.resolve("samples.json"));

        Document page = Parsed.xml(page());

        assertThat(Parsed.all(page, "svg")).isEmpty();
        for (Element section : Parsed.all(page, "section")) {
            assertThat(Parsed.all(section, "p"))
                    .describedAs(section.getAttribute("id"))
                    .anyMatch(each -> each.getAttribute("class").equals("missing"));
        }
    }

    @Test
    void greedyIdsAndTestsOfTheDistributionAreTold() throws Exception {
        String exactness = Parsed.byId(Parsed.xml(page()), "exactness").getTextContent();
        assertThat(exactness)
                .contains("ids equal on 3 of 3 prompts")
                .contains("not rejected")
                .contains("first tokens")
                .contains("0.100 [0.000, 0.200]");
    }

    @Test
    void equalRoundsOfOtherCellsTakeNoPlace() throws Exception {
        var cell = ResultReader.read(results).cells().getFirst();
        var samples = cell.samples().orElseThrow();
        var other = new Samples("p", "another prompt", samples.source(), samples.variants());
        var rounds = RoundsSection.of(sweep(cell, seed -> seed < 14 ? samples : other));

        var section = Parsed.xml(Markup.write(rounds));

        assertThat(Parsed.all(section, "q").stream().map(Element::getTextContent))
                .containsExactly(samples.text(), "another prompt");
        assertThat(Parsed.all(section, "h3")).hasSize(14 * samples.variants().size());
        assertThat(section.getDocumentElement().getTextContent())
                .contains("The same rounds as seed 1: chain.")
                .doesNotContain("The same rounds as seed 2");
    }

    @Test
    void whatRejectsInEveryCellIsSaidOnce() throws Exception {
        var cell = ResultReader.read(results).cells().getFirst();
        var samples = cell.samples().orElseThrow();
        var exactness = EvidenceSection.of(sweep(cell, _ -> samples));

        assertThat(Parsed.xml(Markup.write(exactness)).getDocumentElement().getTextContent())
                .containsOnlyOnce("Each comparison: An exactness test rejects below");
    }

    @Test
    void whatRejectsIsSaidOfTheCellsThatHaveTests() throws Exception {
        var tested = ResultReader.read(results).cells().getFirst();
        var details = (ObjectNode) JSON.readTree(results.resolve("details.json").toFile());
        for (var variant : details.get("variants")) {
            ((ObjectNode) variant.get("exactness")).putNull("evidence");
        }
        JSON.writeValue(results.resolve("details.json").toFile(), details);
        var greedy = ResultReader.read(results).cells().getFirst();
        var cells = List.of(cell(tested, 1), cell(greedy, 2));
        var exactness = EvidenceSection.of(new Results("sweep", folder, cells, List.of()));

        assertThat(Parsed.xml(Markup.write(exactness)).getDocumentElement().getTextContent())
                .contains("seed 1: An exactness test rejects below")
                .doesNotContain("Each comparison", "seed 2: An exactness test");
    }

    @Test
    void whoseCostsTheNumbersHaveIsSaidOfTheCellsThatHaveOthers() throws Exception {
        var own = ResultReader.read(results).cells().getFirst();
        var file = results.resolve("details.json").toFile();
        JSON.writeValue(file, ((ObjectNode) JSON.readTree(file)).put("shaped", "As large as B."));
        var shaped = ResultReader.read(results).cells().getFirst();
        assertThat(Parsed.all(Parsed.xml(page()), "header").getFirst().getTextContent())
                .endsWith("As large as B.");

        var all = List.of(cell(shaped, 1), cell(shaped, 2));
        assertThat(new Results("sweep", folder, all, List.of()).shaped())
                .isEqualTo("As large as B.");
        var one = List.of(cell(own, 1), cell(shaped, 2));
        assertThat(new Results("sweep", folder, one, List.of()).shaped())
                .isEqualTo("seed 2: As large as B.");
        assertThat(new Results("sweep", folder, List.of(own), List.of()).shaped()).isEmpty();
    }

    private static Results.Cell cell(Results.Cell from, int seed) {
        return new Results.Cell(
                from.name(),
                from.folder(),
                Map.of("seed", Integer.toString(seed)),
                from.report(),
                from.provenance(),
                from.samples());
    }

    private Results sweep(Results.Cell cell, IntFunction<Samples> samples) {
        var cells =
                IntStream.rangeClosed(1, 14)
                        .mapToObj(seed ->
                                new Results.Cell(
                                        cell.name(),
                                        cell.folder(),
                                        Map.of("seed", Integer.toString(seed)),
                                        cell.report(),
                                        cell.provenance(),
                                        Optional.of(samples.apply(seed))))
                        .toList();
        return new Results("sweep", folder, cells, List.of());
    }

    @Test
    void factorsLeadFromTheFormulaToTheMeasurement() throws Exception {
        var diagnosis = Parsed.byId(Parsed.xml(page()), "diagnosis");
        assertThat(diagnosis.getTextContent()).contains("verification rows");
        for (Element row : Parsed.all(Parsed.all(diagnosis, "tbody").getFirst(), "tr")) {
            var cells = Parsed.all(row, "td").stream().map(Element::getTextContent).toList();
            double product = 1;
            for (String factor : cells.subList(1, cells.size() - 3)) {
                product *= Double.parseDouble(factor.replace("x ", ""));
            }
            assertThat(product)
                    .isCloseTo(
                            Double.parseDouble(cells.get(cells.size() - 3).substring(2)),
                            within(.1));
        }
    }

    private String page() {
        var read = ResultReader.read(results);
        return HtmlPage.of(read, Figures.of(read), Optional.empty(), Optional.empty());
    }
}
