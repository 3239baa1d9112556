package dev.outrider.demo.corpus;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.demo.corpus.CorpusGenerator.Split;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CorpusGeneratorTest {
    private static final int DOCUMENTS = Boolean.getBoolean("outrider.nightly") ? 2000 : 400;
    private final CorpusGenerator corpus = new CorpusGenerator(7);

    @Test
    void sameSeedWritesTheSameDocuments() {
        assertThat(new CorpusGenerator(7).documents(Split.TRAIN).limit(300))
                .containsExactlyElementsOf(corpus.documents(Split.TRAIN).limit(300).toList());
    }

    /// The committed models were trained on these texts.
    @Test
    void seedsWriteTheTextsThatTheCommittedModelsLearned() throws NoSuchAlgorithmException {
        var sha256 = MessageDigest.getInstance("SHA-256");
        var one = new CorpusGenerator(1);
        for (var split : Split.values()) {
            Stream.concat(one.documents(split).limit(1500), one.pairs(split).limit(1500))
                    .map(text -> text.id() + "|" + text.prompt() + "|" + text.continuation() + "\n")
                    .forEach(text -> sha256.update(text.getBytes(StandardCharsets.UTF_8)));
        }
        assertThat(HexFormat.of().formatHex(sha256.digest()))
                .isEqualTo("f5dd1598d433d97aa5cb0d9b1aa62ab54142d4a6a4a11e18331d04ce02e18333");
    }

    @Test
    void anotherSeedWritesOtherDocuments() {
        assertThat(new CorpusGenerator(8).documents(Split.TRAIN).limit(300))
                .doesNotContainAnyElementsOf(corpus.documents(Split.TRAIN).limit(300).toList());
    }

    @ParameterizedTest
    @EnumSource
    void aDocumentIsRewrittenFromItsContentSeed(TaskKind kind) {
        corpus.documents(Split.TEST, kind)
                .limit(20)
                .forEach(document ->
                        assertThat(corpus.document(kind, document.contentSeed()))
                                .isEqualTo(document));
    }

    @Test
    void noPromptIsInTwoSplitsWhateverTheSeed() {
        Map<Split, Set<String>> prompts = new EnumMap<>(Split.class);
        for (var split : Split.values()) {
            prompts.put(
                    split,
                    Stream.of(7L, 8L, 9L)
                            .flatMap(seed ->
                                    new CorpusGenerator(seed).documents(split).limit(DOCUMENTS))
                            .map(Document::prompt)
                            .collect(toSet()));
        }
        for (var one : Split.values()) {
            for (var two : Split.values()) {
                if (one != two) {
                    assertThat(Collections.disjoint(prompts.get(one), prompts.get(two)))
                            .as("%s and %s", one, two)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void aTwentiethOfPromptsIsHeldOutForTesting() {
        int held = 0;
        int drawn = 20_000;
        for (int i = 0; i < drawn; i++) {
            if (CorpusGenerator.splitOf("prompt " + i) == Split.TEST) {
                held++;
            }
        }
        // Binomial with p = 0.05 and n = 20000: mean 1000, standard deviation 31.
        assertThat(held).isBetween(1000 - 5 * 31, 1000 + 5 * 31);
    }

    @ParameterizedTest
    @EnumSource
    void promptsHardlyRepeat(TaskKind kind) {
        int drawn = 3000;
        var distinct =
                corpus.documents(Split.TRAIN, kind)
                        .limit(drawn)
                        .map(Document::prompt)
                        .distinct()
                        .count();
        assertThat(distinct).isGreaterThan(drawn * 9 / 10);
    }

    @Test
    void textIsPlainAsciiOfBoundedLengthAndUsesARichVocabulary() {
        var words = new HashSet<String>();
        var word = Pattern.compile("[A-Za-z]+");
        corpus.documents(Split.TRAIN)
                .limit(6000)
                .forEach(document -> {
                    assertThat(document.text()).matches("[\\x0a\\x20-\\x7e]+");
                    assertThat(document.text()).hasSizeBetween(40, 1400);
                    word.matcher(document.text())
                            .results()
                            .forEach(match -> words.add(match.group()));
                });
        assertThat(words).hasSizeBetween(900, 1600);
    }
}
