package dev.outrider.nn.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BpeTrainerTest {
    private static final String TEXT =
            "the cat sat on the mat. the dog sat on the log. 12 + 30 = 42\n\tnaïve café — 東京 😀\n"
                    .repeat(3);

    @TempDir Path directory;

    @Test
    void mergesTheMostFrequentPairFirst() {
        var vocabulary =
                new BpeTrainer().add("abab abab ab cd").train(257 + 2, List.of("<|endoftext|>"));

        assertThat(vocabulary.merges().getFirst()).isEqualTo(new BpeVocabulary.Merge("a", "b"));
        assertThat(vocabulary.symbols())
                .hasSize(259)
                .startsWith("<|endoftext|>")
                .endsWith("ab", "\u0120ab");
    }

    @Test
    void learnsTheSameVocabularyTwice() {
        assertThat(trained(300).toJson()).isEqualTo(trained(300).toJson());
    }

    @Test
    void agreesWithCountingAllPairsAnewAfterEveryMerge() {
        var random = new SplittableRandom(11);
        for (int round = 0; round < 20; round++) {
            var text = new StringBuilder();
            for (int i = 0; i < 400; i++) {
                text.append("aaab c".charAt(random.nextInt(6)));
            }

            var merges = new BpeTrainer().add(text.toString()).train(256 + 15, List.of()).merges();

            assertThat(merges).isEqualTo(plainMerges(text.toString(), merges.size()));
        }
    }

    @Test
    void stopsWhenNoPairOccursTwice() {
        var vocabulary = new BpeTrainer().add("abcdefg").train(1000, List.of());

        assertThat(vocabulary.merges()).isEmpty();
        assertThat(vocabulary.symbols()).hasSize(256);
    }

    @Test
    void refusesAVocabularySmallerThanTheBytes() {
        assertThatThrownBy(() -> new BpeTrainer().add("a").train(100, List.of("<s>")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("vocabularySize 100 is below 257, the special tokens and 256 bytes");
    }

    @Test
    void everyTextSurvivesEncodingAndDecoding() throws IOException {
        try (var tokenizer = written(trained(300))) {
            assertThat(tokenizer.vocabularySize()).isEqualTo(300);
            var random = new SplittableRandom(7);
            for (int round = 0; round < 200; round++) {
                var text = randomText(random);
                assertThat(tokenizer.decode(tokenizer.encode(text, false))).isEqualTo(text);
            }
        }
    }

    @Test
    void streamedPiecesJoinToTheWholeText() throws IOException {
        try (var tokenizer = written(trained(300))) {
            var random = new SplittableRandom(11);
            for (int round = 0; round < 100; round++) {
                var text = randomText(random);
                var stream = tokenizer.stream();
                var joined = new StringBuilder();
                for (int id : tokenizer.encode(text, false)) {
                    var piece = stream.append(id);
                    assertThat(piece).doesNotContain("\uFFFD");
                    joined.append(piece);
                }
                assertThat(joined.append(stream.finish())).hasToString(text);
            }
        }
    }

    @Test
    void longTextIsNotTruncated() throws IOException {
        try (var tokenizer = written(trained(300))) {
            var text = TEXT.repeat(100);
            assertThat(tokenizer.encode(text, false)).hasSizeGreaterThan(5000);
            assertThat(tokenizer.decode(tokenizer.encode(text, false))).isEqualTo(text);
        }
    }

    @Test
    void specialTokensHaveTheFirstIdsAndAreLeftOutOfDecodedText() throws IOException {
        try (var tokenizer = written(trained(300))) {
            int[] ids = tokenizer.encode("a<|endoftext|>b", false);
            assertThat(ids).contains(0);
            assertThat(tokenizer.piece(0)).isEqualTo("<|endoftext|>");
            assertThat(tokenizer.decode(ids)).isEqualTo("ab");
        }
    }

    @Test
    void equalVocabulariesHaveEqualDigests() throws IOException {
        try (var one = written(trained(300));
                var same = written(trained(300));
                var other = written(trained(301))) {
            assertThat(one.digest())
                    .isEqualTo(same.digest())
                    .isNotEqualTo(other.digest())
                    .hasSize(64);
        }
    }

    @Test
    void aMissingTokenizerSaysHowToGetOne() {
        var file = directory.resolve("tokenizer.json");

        assertThatThrownBy(() -> HfTokenizer.load(file))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        TOKENIZER_MISSING: no tokenizer at '%s'
                          Put the model's tokenizer.json there, or make one with 'outrider tokenizer train'.\
                        """
                                .formatted(file));
    }

    @Test
    void aBrokenTokenizerIsRefused() throws IOException {
        var file = directory.resolve("tokenizer.json");
        for (var content :
                List.of(
                        "",
                        "{",
                        "[]",
                        "{\"model\":{\"vocab\":{\"a\":-1}}}",
                        "{\"model\":{\"vocab\":{\"a\":0}}}")) {
            Files.writeString(file, content);
            assertThatThrownBy(() -> HfTokenizer.load(file))
                    .isInstanceOf(OutriderException.class)
                    .hasMessageStartingWith("TOKENIZER_INVALID: tokenizer '%s' ".formatted(file));
        }
    }

    private static BpeVocabulary trained(int size) {
        return new BpeTrainer().add(TEXT).train(size, List.of("<|endoftext|>", "<|pad|>"));
    }

    private HfTokenizer written(BpeVocabulary vocabulary) throws IOException {
        var file = directory.resolve("v%d.json".formatted(vocabulary.symbols().size()));
        vocabulary.write(file);
        return HfTokenizer.load(file);
    }

    private static String randomText(SplittableRandom random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(1, 40); i > 0; i--) {
            int codePoint =
                    switch (random.nextInt(4)) {
                        case 0 -> random.nextInt(0x20, 0x7F);
                        case 1 -> random.nextInt(0xA0, 0x800);
                        case 2 -> random.nextInt(0x1F300, 0x1F600);
                        default -> random.nextInt('a', 'f');
                    };
            text.appendCodePoint(codePoint);
        }
        return text.toString();
    }

    /// The slow twin: ASCII text without contractions, pairs counted again for every merge.
    private static List<BpeVocabulary.Merge> plainMerges(String text, int count) {
        var ids = new HashMap<String, Integer>();
        for (char c = '!'; c <= '~'; c++) {
            ids.put(String.valueOf(c), (int) c);
        }
        ids.put("Ġ", (int) ' ');
        var words =
                Arrays.stream(text.split("(?<=\\S)(?= )|(?<= )(?= \\S)", -1))
                        .map(word -> new ArrayList<>(List.of(word.replace(" ", "Ġ").split(""))))
                        .toList();
        var merges = new LinkedHashSet<BpeVocabulary.Merge>();
        while (merges.size() < count) {
            var counts = new HashMap<BpeVocabulary.Merge, Integer>();
            for (var word : words) {
                for (int i = 1; i < word.size(); i++) {
                    counts.merge(
                            new BpeVocabulary.Merge(word.get(i - 1), word.get(i)), 1, Integer::sum);
                }
            }
            var best =
                    counts.entrySet().stream()
                            .min(
                                    Map.Entry.<BpeVocabulary.Merge, Integer>comparingByValue()
                                            .reversed()
                                            .thenComparing(e -> ids.get(e.getKey().left()))
                                            .thenComparing(e -> ids.get(e.getKey().right())))
                            .orElseThrow()
                            .getKey();
            merges.add(best);
            ids.putIfAbsent(best.left() + best.right(), 2000 + ids.size());
            for (var word : words) {
                for (int i = 0; i + 1 < word.size(); i++) {
                    if (word.get(i).equals(best.left()) && word.get(i + 1).equals(best.right())) {
                        word.set(i, word.get(i) + word.remove(i + 1));
                    }
                }
            }
        }
        return List.copyOf(merges);
    }

    @Test
    void aVocabularyCanEndEveryText(@TempDir Path folder) throws IOException {
        var file = folder.resolve("tokenizer.json");
        var plain = new BpeTrainer().add("a lantern").train(260, List.of("<pad>", "</s>"));
        plain.endingWith("</s>").write(file);
        try (var tokenizer = HfTokenizer.load(file)) {
            int[] bare = tokenizer.encode("a lantern", false);
            assertThat(tokenizer.encode("a lantern", true))
                    .hasSize(bare.length + 1)
                    .startsWith(bare)
                    .endsWith(1);
            assertThat(tokenizer.decode(tokenizer.encode("a lantern", true)))
                    .isEqualTo("a lantern");
        }
        assertThatThrownBy(() -> plain.endingWith("<end>"))
                .hasMessage("the end <end> is none of the special tokens [<pad>, </s>]");
    }
}
