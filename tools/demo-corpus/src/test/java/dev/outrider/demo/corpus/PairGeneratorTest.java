package dev.outrider.demo.corpus;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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

class PairGeneratorTest {
    private static final int HELD_OUT = Boolean.getBoolean("outrider.nightly") ? 500 : 100;

    private final PairGenerator corpus = new PairGenerator(7);

    @Test
    void sameSeedWritesTheSamePairsAndAnotherSeedOthers() {
        var pairs = corpus.pairs(Split.TRAIN).limit(300).toList();
        assertThat(new PairGenerator(7).pairs(Split.TRAIN).limit(300))
                .containsExactlyElementsOf(pairs);
        assertThat(new PairGenerator(8).pairs(Split.TRAIN).limit(300))
                .doesNotContainAnyElementsOf(pairs);
    }

    @ParameterizedTest
    @EnumSource
    void aPairIsRewrittenFromItsContentSeedAndNamesItsTask(PairKind kind) {
        corpus.pairs(Split.TEST, kind)
                .limit(20)
                .forEach(pair -> {
                    assertThat(corpus.pair(kind, pair.contentSeed())).isEqualTo(pair);
                    assertThat(pair.source()).startsWith(kind.prefix());
                });
    }

    @Test
    void noSourceIsInTwoSplitsWhateverTheSeed() {
        for (var kind : PairKind.values()) {
            var held =
                    Stream.of(7L, 8L)
                            .flatMap(seed ->
                                    new PairGenerator(seed).pairs(Split.TEST, kind).limit(HELD_OUT))
                            .map(Pair::source)
                            .collect(toSet());
            assertThat(
                            Stream.of(7L, 8L)
                                    .flatMap(seed ->
                                            new PairGenerator(seed)
                                                    .pairs(Split.TRAIN, kind)
                                                    .limit(10L * HELD_OUT))
                                    .map(Pair::source))
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
                            quote.matcher(pair.answer()).results().map(m -> m.group(1)).toList();
                    assertThat(quotes).hasSize(2).allMatch(pair.source()::contains);
                });
    }

    @Test
    void anExtractionHasTheWantedCellsOfEveryRowOfItsTable() {
        corpus.pairs(Split.TRAIN, PairKind.EXTRACTION)
                .limit(500)
                .forEach(pair -> {
                    var lines = pair.source().substring(PairKind.EXTRACTION.prefix().length());
                    var table = lines.lines().skip(1).map(line -> line.split(" \\| ")).toList();
                    var wanted =
                            lines.lines().findFirst().orElseThrow().replace(" of", "").split(", ");
                    var rows = json(pair.answer());
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
                    assertThat(answers.merge(pair.source(), pair.answer(), (a, b) -> b))
                            .isEqualTo(pair.answer());
                });
        assertThat(answers.values().stream().distinct().count())
                .isGreaterThan(answers.size() * 99L / 100);
        var stems =
                Stream.of(
                                TwoLanguages.NOUNS.stream().map(TwoLanguages.Noun::stem),
                                TwoLanguages.VERBS.stream(),
                                TwoLanguages.ADJECTIVES.stream(),
                                TwoLanguages.TIMES.stream(),
                                TwoLanguages.PLACINGS.stream())
                        .flatMap(each -> each)
                        .toList();
        assertThat(stems).extracting(TwoLanguages.Stem::velan).doesNotHaveDuplicates();
        assertThat(stems).extracting(TwoLanguages.Stem::oric).doesNotHaveDuplicates();
    }

    @Test
    void theVerbComesLastInOricAndAgreesWithWhoDoesIt() {
        var verbs = TwoLanguages.VERBS.stream().map(TwoLanguages.Stem::oric).toList();
        corpus.pairs(Split.TRAIN, PairKind.TRANSLATION)
                .limit(500)
                .forEach(pair -> {
                    for (var clause : pair.answer().replace(".", "").split(", yo ")) {
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
        List<Pair> pairs = PromptSets.heldOut(corpus, 3);
        assertThat(pairs).hasSize(3 * PairKind.values().length);
        PromptSets.writePairs(file, pairs);
        var lines = Files.readAllLines(file);
        assertThat(lines).hasSameSizeAs(pairs);
        for (int i = 0; i < lines.size(); i++) {
            var json = new ObjectMapper().readTree(lines.get(i));
            assertThat(json.get("id").asText()).isEqualTo(pairs.get(i).id());
            assertThat(json.get("kind").asText()).isEqualTo(pairs.get(i).kind().label());
            assertThat(json.get("source").asText()).isEqualTo(pairs.get(i).source());
            assertThat(json.get("reference").asText()).isEqualTo(pairs.get(i).answer());
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
