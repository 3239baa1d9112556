package dev.outrider.experiment.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.experiment.report.ResultComparison.Difference;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.WrittenResults;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultComparisonTest {
    private static final String DIRTY =
            "Both were measured with uncommitted changes on revision abc: it is unknown whether by the same program.";

    @TempDir Path folder;

    private Path before = Path.of("");
    private Path after = Path.of("");

    @BeforeEach
    void run() throws IOException {
        before = WrittenResults.in(Files.createDirectories(folder.resolve("a")));
        after = WrittenResults.in(Files.createDirectories(folder.resolve("b")));
    }

    @Test
    void equalResultsShowNoDifference() {
        var comparison = compare();
        assertThat(comparison.differences())
                .extracting(Difference::label)
                .containsExactly("chain", "sampled");
        for (Difference difference : comparison.differences()) {
            assertThat(difference.prompts()).isEqualTo(3);
            assertThat(difference.speedup().value()).isZero();
            assertThat(difference.verdict()).isEqualTo("fewer than 6 prompts");
        }
        assertThat(comparison.warnings()).containsExactly(DIRTY);
    }

    @Test
    void whatWasSetDifferentlyIsToldWithBothValues() throws IOException {
        edit(after, "config.yaml", "maxTokens: 21 ", "maxTokens: 34 ");
        edit(after, "config.yaml", "agreement: 0.8 ", "agreement: 0.9 ");
        edit(after, "config.yaml", "seed: 0 ", "seed: 7 ");
        edit(after, "provenance.json", "\"dirty\" : true", "\"dirty\" : false");
        Path lines = after.resolve("generations.jsonl");
        String digest =
                Files.readString(lines).replaceAll("(?s).*?\"digest\":\"([0-9a-f]+).*", "$1");
        edit(after, "generations.jsonl", digest, "f".repeat(digest.length()));
        assertThat(compare().warnings())
                .contains(
                        "Different revision: abc with uncommitted changes, then abc. The difference may be the program's.",
                        "Different maxTokens: 21, then 34. The two do not measure the same thing.",
                        "Different seed: 0, then 7. The two do not measure the same thing.",
                        "Different chain: drafter.agreement: 0.8, then 0.9. The two do not measure the same thing.",
                        "chain: 2 prompts that only one of the two measured are left out.")
                .anyMatch(warning ->
                        warning.matches(
                                "Different prompts: 3 with SHA-256 [0-9a-f]{16}, then 3 with SHA-256 [0-9a-f]{16}\\..*"))
                .doesNotContain(DIRTY);
    }

    @Test
    void resultsWithoutTheirSettingsAreNotTrusted() throws IOException {
        Files.delete(after.resolve("config.yaml"));
        assertThat(compare().warnings())
                .contains(
                        "A config.yaml is missing: it is unknown whether the two were measured with the same settings.");
        Files.writeString(after.resolve("config.yaml"), "{");
        refused("DATA_INVALID: '%s' cannot be read".formatted(after.resolve("config.yaml")));
    }

    @Test
    void aVariantThatTakesHalfTheTimeIsFoundFaster() throws IOException {
        before = sixPrompts("six/a");
        after = sixPrompts("six/b");
        Path lines = after.resolve("generations.jsonl");
        var faster = new StringBuilder();
        for (String line : Files.readAllLines(lines)) {
            boolean chain = line.contains("\"variant\":\"chain\"");
            long wall = Long.parseLong(line.replaceAll(".*\"wallNanos\":([0-9]+).*", "$1"));
            String nanos = "\"wallNanos\":";
            faster.append(chain ? line.replace(nanos + wall, nanos + wall / 2) : line).append('\n');
        }
        Files.writeString(lines, faster);

        var comparison = compare();

        Difference chain = comparison.differences().getFirst();
        assertThat(chain.speedup().value()).isCloseTo(chain.first().speedup().value(), within(.01));
        assertThat(chain.speedup().least()).isPositive();
        assertThat(chain.verdict()).isEqualTo("second faster");
        assertThat(comparison.differences().get(1).verdict()).isEqualTo("no difference shown");
        var back = ResultComparison.of(ResultReader.read(after), ResultReader.read(before));
        assertThat(back.differences().getFirst().verdict()).isEqualTo("first faster");
    }

    private Path sixPrompts(String name) throws IOException {
        String prompts =
                Stream.of("ab", "ba", "bb", "aa", "abb", "baa")
                        .map("{\"prompt\": \"%s\"}\n"::formatted)
                        .collect(Collectors.joining());
        return WrittenResults.in(
                Files.createDirectories(folder.resolve(name)), WrittenResults.YAML, prompts);
    }

    @Test
    void differentMachinesAreToldAndVariantsOfOnlyOneAreNamed() throws IOException {
        edit(after, "provenance.json", "\"device\" : \"none\"", "\"device\" : \"another\"");
        edit(after, "details.json", "\"variant\" : \"sampled\"", "\"variant\" : \"renamed\"");
        assertThat(compare().warnings())
                .containsExactly(
                        "Different device: none, then another. Each speedup is over plain decoding on its own machine; the"
                                + " difference may be the machines'.",
                        DIRTY,
                        "Only in the first results: sampled.",
                        "Only in the second results: renamed.");
    }

    @Test
    void refusesTheSameFolder() {
        after = before.resolve("../fake");
        refused("DATA_INVALID: '%s' and '%s' are the same folder".formatted(before, after));
    }

    @Test
    void refusesAnotherTarget() throws IOException {
        edit(after, "provenance.json", "\"target table\" : \"00\"", "\"target table\" : \"11\"");
        refused("DATA_INVALID: '")
                .hasMessageContaining("a speedup over one target says nothing about another");
    }

    @Test
    void refusesAnotherTemperature() throws IOException {
        edit(after, "details.json", "\"temperature\" : 1.0", "\"temperature\" : 0.5");
        refused(
                "DATA_INVALID: 'sampled' samples at temperature 1.0 in the first results and 0.5 in the second");
    }

    @Test
    void refusesResultsWithoutACommonVariant() throws IOException {
        edit(after, "details.json", "\"variant\" : \"sampled\"", "\"variant\" : \"x\"");
        edit(after, "details.json", "\"variant\" : \"chain\"", "\"variant\" : \"y\"");
        refused("DATA_INVALID: '")
                .hasMessageContaining("have no variant in common: [chain, sampled] against [y, x]");
    }

    @Test
    void promptsOfTheSameIdAndAnotherTextAreNotPaired() throws IOException {
        Path lines = after.resolve("generations.jsonl");
        Files.writeString(
                lines,
                Files.readString(lines).replaceAll("\"digest\":\"....", "\"digest\":\"zzzz"));
        refused("DATA_INVALID: 'chain' was measured on no prompt in both results");
    }

    @Test
    void promptsThatAResultLacksAreToldAndKAndEvidenceAreShown() throws Exception {
        edit(after, "details.json", "\"plannedPrompts\" : 3", "\"plannedPrompts\" : 5");
        edit(after, "details.json", "\"interrupted\" : false", "\"interrupted\" : true");
        assertThat(compare().warnings())
                .contains(
                        "Unfinished: the second results (fake) have 3 of 5 prompts, 0 failed and the run was interrupted. The difference is of the prompts that both have.")
                .noneMatch(warning -> warning.startsWith("Unfinished: the first"));

        var rows = ComparisonFiles.rows(compare());
        assertThat(rows.getFirst()).contains("draft length first", "exactness test first");
        int evidence = rows.getFirst().indexOf("exactness test first");
        assertThat(rows.get(1).get(evidence)).isEqualTo("ids equal 3/3");
        assertThat(rows.get(1).get(evidence + 1)).isEqualTo("ids equal 3/3");
    }

    @Test
    void writesAPageThatIsWellFormed() throws Exception {
        edit(after, "provenance.json", "\"device\" : \"none\"", "\"device\" : \"<b>&\"");
        var files = ComparisonFiles.write(before, after, folder.resolve("out"));
        var page = Parsed.xml(Files.readString(files.page()));
        assertThat(Parsed.byId(page, "differences").getTextContent())
                .contains("chain", "+0.00 [", "fewer than 6 prompts");
        assertThat(page.getDocumentElement().getTextContent()).contains("none, then <b>&.");
        assertThat(folder.resolve("out/comparison.csv"))
                .content()
                .startsWith("what,variant,difference,low,high\r\n");
        Parsed.xml(Files.readString(folder.resolve("out/comparison.svg")));
    }

    private AbstractThrowableAssert<?, ? extends Throwable> refused(String beginning) {
        return assertThatThrownBy(this::compare)
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(beginning);
    }

    private ResultComparison compare() {
        return ResultComparison.of(ResultReader.read(before), ResultReader.read(after));
    }

    private static void edit(Path results, String file, String from, String to) throws IOException {
        Path path = results.resolve(file);
        String text = Files.readString(path);
        assertThat(text).contains(from);
        Files.writeString(path, text.replace(from, to));
    }
}
