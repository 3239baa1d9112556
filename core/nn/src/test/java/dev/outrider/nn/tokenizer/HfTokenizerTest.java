package dev.outrider.nn.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.nn.SharedFiles;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.Tokenizer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HfTokenizerTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir Path directory;

    @Test
    void encodesThePromptOfAKnownModelToItsIds() throws IOException {
        var checkpoint = SharedFiles.orSkip("checkpoints/stories260K");
        var reference = MAPPER.readTree(checkpoint.resolve("reference.json").toFile());
        var expected = MAPPER.convertValue(reference.path("prompt_ids"), int[].class);
        var prompt = reference.path("prompt").asText();
        try (var tokenizer = HfTokenizer.load(checkpoint)) {
            assertThat(tokenizer.vocabularySize()).isEqualTo(512);
            assertThat(tokenizer.encode(prompt, true)).isEqualTo(expected);
            assertThat(tokenizer.encode(prompt, false))
                    .isEqualTo(Arrays.copyOfRange(expected, 1, expected.length));
            assertThat(tokenizer.decode(expected)).isEqualTo(prompt);
            assertThat(tokenizer.piece(1)).isEqualTo("<s>");
            assertThat(tokenizer.id("</s>")).hasValue(2);
            assertThat(tokenizer.id("no such piece")).isEmpty();
        }
    }

    @Test
    void streamsWhatItDecodesWhateverTheIds() {
        var checkpoint = SharedFiles.orSkip("checkpoints/stories260K");
        try (var tokenizer = HfTokenizer.load(checkpoint)) {
            var random = new Random(3);
            for (int round = 0; round < 300; round++) {
                // Special tokens, byte pieces that form no character, and words in any order.
                var ids = random.ints(30, 0, tokenizer.vocabularySize()).toArray();

                assertThat(streamed(tokenizer, ids))
                        .as("replay with round %d of seed 3", round)
                        .isEqualTo(tokenizer.decode(ids));
            }
        }
    }

    @Test
    void streamsByteLevelTextWithoutBrokenCharacters() {
        try (var tokenizer = byteLevel()) {
            var text = "naïve 日本語 🐈 done";
            var ids = tokenizer.encode(text, false);
            var stream = tokenizer.stream();
            var shown = new StringBuilder();
            for (int id : ids) {
                var piece = stream.append(id);
                assertThat(piece).doesNotContain("\uFFFD");
                shown.append(piece);
                assertThat(text).startsWith(shown);
            }
            assertThat(shown.append(stream.finish())).hasToString(text);
            assertThatThrownBy(() -> stream.append(0)).hasMessage("the stream is finished");
        }
    }

    @Test
    void showsABrokenCharacterOnlyAtTheEnd() {
        try (var tokenizer = byteLevel()) {
            var ids = tokenizer.encode("日", false);
            assertThat(ids).hasSize(3);
            var stream = tokenizer.stream();

            assertThat(stream.append(ids[0])).isEmpty();
            assertThat(stream.append(ids[1])).isEmpty();
            assertThat(stream.finish()).isEqualTo("\uFFFD");
        }
    }

    @Test
    void streamsRandomBytesAsItDecodesThem() {
        try (var tokenizer = byteLevel()) {
            var random = new Random(5);
            for (int round = 0; round < 300; round++) {
                var ids = random.ints(20, 0, tokenizer.vocabularySize()).toArray();
                assertThat(streamed(tokenizer, ids))
                        .as("replay with round %d of seed 5", round)
                        .isEqualTo(tokenizer.decode(ids));
            }
        }
    }

    @Test
    void doesNotTruncateLongTextEvenIfTheFileSaysSo() throws IOException {
        writeByteLevel();
        var file = directory.resolve("tokenizer.json");
        var truncating =
                Files.readString(file)
                        .replace(
                                "\"truncation\" : null",
                                "\"truncation\" : {\"direction\":\"Right\",\"max_length\":4,\"strategy\":\"LongestFirst\",\"stride\":0}");
        assertThat(truncating).contains("max_length");
        Files.writeString(file, truncating);
        try (var tokenizer = HfTokenizer.load(directory)) {
            assertThat(tokenizer.encode("x y ".repeat(2000), false).length).isEqualTo(8000);
        }
    }

    @Test
    void decodesPaddingRowsToNothingAndRefusesNegativeIds() {
        try (var tokenizer = byteLevel()) {
            int size = tokenizer.vocabularySize();
            int letter = tokenizer.id("a").orElseThrow();

            assertThat(tokenizer.decode(new int[] {letter, size + 5, letter})).isEqualTo("aa");
            assertThat(tokenizer.decode(new int[0])).isEmpty();
            assertThatThrownBy(() -> tokenizer.decode(new int[] {letter, -1}))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            """
                            TOKEN_OUT_OF_RANGE: token id -1 at position 1 is negative; expected ids from 0 to %d
                              Decode ids that this tokenizer or its model produced.\
                            """
                                    .formatted(size - 1));
            assertThatThrownBy(() -> tokenizer.piece(size))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void survivesLoneSurrogatesAndNulCharacters() {
        try (var tokenizer = byteLevel()) {
            assertThat(tokenizer.decode(tokenizer.encode("a\0b", false))).isEqualTo("a\0b");
            assertThat(tokenizer.decode(tokenizer.encode("a\uD83Db", false)))
                    .startsWith("a")
                    .endsWith("b");
        }
    }

    @Test
    void givesTheSameDigestToTheSameRulesOnly() throws IOException {
        writeByteLevel();
        var file = directory.resolve("tokenizer.json");
        var digest = digestOf(directory);
        var original = Files.readString(file);

        Files.writeString(file, MAPPER.readTree(original).toString());
        assertThat(digestOf(directory)).isEqualTo(digest).matches("[0-9a-f]{64}");

        var joined = original.replaceAll("\\[ \"([^\" ]+)\", \"([^\" ]+)\" \\]", "\"$1 $2\"");
        assertThat(joined).isNotEqualTo(original);
        Files.writeString(file, joined);
        assertThat(digestOf(directory)).isEqualTo(digest);

        Files.writeString(file, original.replace("<|pad|>", "<|padding|>"));
        assertThat(digestOf(directory)).isNotEqualTo(digest);
    }

    @Test
    void givesTheSameDigestWithAndWithoutSettings() throws IOException {
        writeByteLevel();
        var digest = digestOf(directory);

        Files.writeString(
                directory.resolve("tokenizer_config.json"),
                "{\"tokenizer_class\":\"LlamaTokenizer\",\"bos_token\":\"<|pad|>\"}");
        try (var tokenizer = HfTokenizer.load(directory)) {
            assertThat(tokenizer.piece(tokenizer.encode("cat", true)[0])).isEqualTo("<|pad|>");
            assertThat(tokenizer.digest()).isEqualTo(digest);
        }
    }

    @Test
    void isSafeToShareBetweenThreads() throws Exception {
        try (var tokenizer = byteLevel();
                var pool = Executors.newFixedThreadPool(4)) {
            Callable<Integer> task =
                    () -> {
                        int wrong = 0;
                        for (int i = 0; i < 200; i++) {
                            var text = "text number " + i;
                            if (!tokenizer.decode(tokenizer.encode(text, false)).equals(text)) {
                                wrong++;
                            }
                        }
                        return wrong;
                    };
            var results = pool.invokeAll(IntStream.range(0, 4).mapToObj(i -> task).toList());
            for (var result : results) {
                assertThat(result.get()).isZero();
            }
        }
    }

    @Test
    void saysWhereATokenizerIsMissing() {
        assertThatThrownBy(() -> HfTokenizer.load(directory))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        TOKENIZER_MISSING: no tokenizer at '%s'
                          Put the model's tokenizer.json there, or make one with 'outrider tokenizer train'.\
                        """
                                .formatted(directory.resolve("tokenizer.json")));
    }

    @Test
    void refusesBrokenJson() throws IOException {
        assertThat(refusalOf("{\"model\": "))
                .startsWith(
                        "TOKENIZER_INVALID: tokenizer '%s' is not valid JSON: "
                                .formatted(directory.resolve("tokenizer.json")));
    }

    @Test
    void refusesJsonThatIsNoTokenizer() throws IOException {
        assertThat(refusalOf("[]")).contains("tokenizer.json' is not a JSON object\n");
        assertThat(refusalOf("{}")).contains("tokenizer.json' has no model.vocab\n");
        assertThat(refusalOf("{\"model\":{\"vocab\":{}}}")).contains("has an empty vocabulary\n");
        assertThat(refusalOf("{\"model\":{\"vocab\":{\"a\":-1}}}"))
                .contains(
                        "gives the piece 'a' the id -1; expected an integer from 0 to 16777215\n");
        assertThat(refusalOf("{\"model\":{\"vocab\":{\"a\":2000000000}}}"))
                .contains("gives the piece 'a' the id 2000000000; expected");
        assertThat(refusalOf("{\"model\":{\"vocab\":{}},\"added_tokens\":[{\"content\":\"x\"}]}"))
                .contains("gives the piece 'x' the id (none); expected");
        assertThat(refusalOf("{\"model\":{\"type\":\"Nonsense\",\"vocab\":{\"a\":0}}}"))
                .contains(
                        "has model.type = \"Nonsense\"; expected one of BPE, Unigram, WordLevel, WordPiece\n");
    }

    @Test
    void refusesRandomDamageWithItsOwnException() throws IOException {
        writeByteLevel();
        var original = Files.readAllBytes(directory.resolve("tokenizer.json"));
        var random = new Random(17);
        for (int round = 0; round < 60; round++) {
            var damaged = original.clone();
            for (int flip = 0; flip <= round % 3; flip++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            Files.write(directory.resolve("tokenizer.json"), damaged);
            try (var tokenizer = HfTokenizer.load(directory)) {
                assertThat(tokenizer.vocabularySize()).isPositive();
            } catch (OutriderException e) {
                assertThat(e.code())
                        .as("replay with round %d of seed 17", round)
                        .isEqualTo(ErrorCode.TOKENIZER_INVALID);
            }
        }
    }

    private String refusalOf(String json) throws IOException {
        Files.writeString(directory.resolve("tokenizer.json"), json);
        try (var tokenizer = HfTokenizer.load(directory)) {
            return "accepted with " + tokenizer.vocabularySize() + " pieces";
        } catch (OutriderException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.TOKENIZER_INVALID);
            return Objects.requireNonNull(e.getMessage());
        }
    }

    private static String digestOf(Path path) {
        try (var tokenizer = HfTokenizer.load(path)) {
            return tokenizer.digest();
        }
    }

    private static String streamed(Tokenizer tokenizer, int[] ids) {
        var stream = tokenizer.stream();
        var text = new StringBuilder();
        for (int id : ids) {
            text.append(stream.append(id));
        }
        return text.append(stream.finish()).toString();
    }

    private HfTokenizer byteLevel() {
        writeByteLevel();
        return HfTokenizer.load(directory);
    }

    private void writeByteLevel() {
        var text = "the cat and the other cat ".repeat(4);
        var special = List.of("<|endoftext|>", "<|pad|>");
        try {
            new BpeTrainer()
                    .add(text)
                    .train(280, special)
                    .write(directory.resolve("tokenizer.json"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
