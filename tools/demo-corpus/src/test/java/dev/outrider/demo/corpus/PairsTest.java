package dev.outrider.demo.corpus;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.demo.corpus.CorpusGenerator.PairKind;
import dev.outrider.demo.corpus.CorpusGenerator.Split;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PairsTest {
    private static final int HELD_OUT = Boolean.getBoolean("outrider.nightly") ? 500 : 100;

    private final CorpusGenerator corpus = new CorpusGenerator(7);

    @Test
    void sameSeedWritesTheSamePairsAndAnotherSeedOthers() {
        var pairs = corpus.pairs(Split.TRAIN).limit(300).toList();
        assertThat(new CorpusGenerator(7).pairs(Split.TRAIN).limit(300))
                .containsExactlyElementsOf(pairs);
        assertThat(new CorpusGenerator(8).pairs(Split.TRAIN).limit(300))
                .doesNotContainAnyElementsOf(pairs);
    }

    @ParameterizedTest
    @EnumSource
    void aPairIsRewrittenFromItsContentSeedAndNamesItsTask(PairKind kind) {
        corpus.pairs(Split.TEST, kind)
                .limit(20)
                .forEach(pair -> {
                    assertThat(corpus.pair(kind, pair.contentSeed())).isEqualTo(pair);
                    assertThat(pair.prompt()).startsWith(kind.prefix());
                });
    }

    @Test
    void noSourceIsInTwoSplitsWhateverTheSeed() {
        for (var kind : PairKind.values()) {
            var held =
                    Stream.of(7L, 8L)
                            .flatMap(seed ->
                                    new CorpusGenerator(seed)
                                            .pairs(Split.TEST, kind)
                                            .limit(HELD_OUT))
                            .map(Document::prompt)
                            .collect(toSet());
            assertThat(
                            Stream.of(7L, 8L)
                                    .flatMap(seed ->
                                            new CorpusGenerator(seed)
                                                    .pairs(Split.TRAIN, kind)
                                                    .limit(10L * HELD_OUT))
                                    .map(Document::prompt))
                    .doesNotContainAnyElementsOf(held);
            assertThat(held).hasSizeGreaterThan(19 * HELD_OUT / 10);
        }
    }

    @Test
    void aSummaryQuotesTwoSentencesOfItsSource() {
        var quote = Pattern.compile("\"([^\"]+)\"");
        corpus.pairs(Split.TRAIN, PairKind.SUMMARY)
                .limit(500)
                .forEach(pair -> {
                    var quotes =
                            quote.matcher(pair.continuation())
                                    .results()
                                    .map(m -> m.group(1))
                                    .toList();
                    assertThat(quotes).hasSize(2).allMatch(pair.prompt()::contains);
                });
    }

    @Test
    void anExtractionHasTheWantedCellsOfEveryRowOfItsTable() {
        corpus.pairs(Split.TRAIN, PairKind.EXTRACTION)
                .limit(500)
                .forEach(pair -> {
                    var lines = pair.prompt().substring(PairKind.EXTRACTION.prefix().length());
                    var table = lines.lines().skip(1).map(line -> line.split(" \\| ")).toList();
                    var wanted =
                            lines.lines().findFirst().orElseThrow().replace(" of", "").split(", ");
                    var rows = json(pair.continuation());
                    assertThat(rows).hasSize(table.size() - 1);
                    for (int row = 0; row < rows.size(); row++) {
                        for (var field : wanted) {
                            int column = Arrays.asList(table.getFirst()).indexOf(field);
                            assertThat(rows.get(row).get(field).asText())
                                    .isEqualTo(table.get(row + 1)[column]);
                        }
                        assertThat(rows.get(row)).hasSize(wanted.length);
                    }
                });
    }

    @Test
    void everySourceHasOneTranslationAndEveryWordIsToldApart() {
        var answers = new HashMap<String, String>();
        corpus.pairs(Split.TRAIN, PairKind.TRANSLATION)
                .limit(3000)
                .forEach(pair -> {
                    assertThat(answers.merge(pair.prompt(), pair.continuation(), (a, b) -> b))
                            .isEqualTo(pair.continuation());
                });
        assertThat(answers.values().stream().distinct().count())
                .isGreaterThan(answers.size() * 99L / 100);
        var stems =
                Stream.of(
                                TranslationWriter.NOUNS.stream().map(TranslationWriter.Noun::stem),
                                TranslationWriter.VERBS.stream(),
                                TranslationWriter.ADJECTIVES.stream(),
                                TranslationWriter.TIMES.stream(),
                                TranslationWriter.PLACINGS.stream())
                        .flatMap(each -> each)
                        .toList();
        assertThat(stems).extracting(TranslationWriter.Stem::velan).doesNotHaveDuplicates();
        assertThat(stems).extracting(TranslationWriter.Stem::oric).doesNotHaveDuplicates();
    }

    @Test
    void theVerbComesLastInOricAndAgreesWithWhoDoesIt() {
        var verbs = TranslationWriter.VERBS.stream().map(TranslationWriter.Stem::oric).toList();
        corpus.pairs(Split.TRAIN, PairKind.TRANSLATION)
                .limit(500)
                .forEach(pair -> {
                    for (var clause : pair.continuation().replace(".", "").split(", yo ")) {
                        var words = Arrays.asList(clause.replace(" mo", "").split(" "));
                        assertThat(words.getLast())
                                .matches("(%s)(ok|u|im)n?".formatted(String.join("|", verbs)));
                        assertThat(words.getLast().endsWith("n"))
                                .isEqualTo(words.getFirst().endsWith("li"));
                    }
                });
    }

    @Test
    void aFileOfPairsHasOneObjectALine(@TempDir Path folder) throws IOException {
        var file = folder.resolve("pairs.jsonl");
        List<Document> pairs = corpus.heldOutPairs(3);
        assertThat(pairs).hasSize(3 * PairKind.values().length);
        CorpusFiles.writeHeldOut(file, "source", pairs.stream());
        var lines = Files.readAllLines(file);
        assertThat(lines).hasSameSizeAs(pairs);
        for (int i = 0; i < lines.size(); i++) {
            var json = new ObjectMapper().readTree(lines.get(i));
            assertThat(json.get("id").asText()).isEqualTo(pairs.get(i).id());
            assertThat(json.get("kind").asText()).isEqualTo(pairs.get(i).kind());
            assertThat(json.get("source").asText()).isEqualTo(pairs.get(i).prompt());
            assertThat(json.get("reference").asText()).isEqualTo(pairs.get(i).continuation());
        }
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }
}
