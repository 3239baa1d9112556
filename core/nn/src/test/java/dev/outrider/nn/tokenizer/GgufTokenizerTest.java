package dev.outrider.nn.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.gguf.GgufWriter;
import dev.outrider.nn.tokenizer.BpeTrainer.ByteAlphabet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Vocabularies of GGUF files cut texts as the rules they name say.
class GgufTokenizerTest {
    @TempDir Path directory;

    private static GgufWriter bytes(String pre) {
        return bytes().text("tokenizer.ggml.pre", pre);
    }

    private static GgufWriter bytes() {
        var tokens = new ArrayList<>(List.of("<|end|>", "[PAD1]", "<tool>"));
        for (int value = 0; value < 256; value++) {
            tokens.add(String.valueOf(ByteAlphabet.characterOf(value)));
        }
        tokens.addAll(List.of("ab", "Ġab", "12", "123"));
        var kinds = new ArrayList<>(List.of(3, 5, 4));
        while (kinds.size() < tokens.size()) {
            kinds.add(1);
        }
        return new GgufWriter()
                .text("tokenizer.ggml.model", "gpt2")
                .texts("tokenizer.ggml.tokens", tokens)
                .numbers("tokenizer.ggml.token_type", kinds)
                .texts("tokenizer.ggml.merges", List.of("a b", "Ġ ab", "1 2", "12 3"))
                .number("tokenizer.ggml.bos_token_id", 0)
                .number("tokenizer.ggml.eos_token_id", 0);
    }

    @Test
    void aVocabularyOfBytesMergesWithinWords() throws IOException {
        try (var tokenizer = load(bytes("gpt-2"))) {
            assertThat(pieces(tokenizer, "ab ab\u00e9")).containsExactly("ab", "Ġab", "Ã", "©");
            assertThat(pieces(tokenizer, "<tool><|end|>a"))
                    .containsExactly("<tool>", "<|end|>", "a");
            assertThat(tokenizer.encode("ab", true)).hasSize(1);
            assertThat(tokenizer.isPiece(1)).isFalse();
            assertThat(tokenizer.isAdded(0)).isTrue();
            assertThat(tokenizer.decode(tokenizer.encode("ab ab\u00e9 1234", false)))
                    .isEqualTo("ab ab\u00e9 1234");
        }
    }

    @Test
    void rulesDifferInHowTheyCutNumbers() throws IOException {
        try (var words = load(bytes("gpt-2"));
                var digits = load(bytes("smollm"));
                var single = load(bytes("qwen2"));
                var threes = load(bytes("llama-bpe"))) {
            assertThat(pieces(words, "1231")).containsExactly("123", "1");
            assertThat(pieces(digits, "12")).containsExactly("1", "2");
            assertThat(pieces(single, "12")).containsExactly("1", "2");
            assertThat(pieces(threes, "12312")).containsExactly("123", "12");
        }
    }

    /// As llama.cpp cuts them: a run of punctuation, then a run of digits in threes.
    @Test
    void filesWithoutARuleHaveTheDefaultOne() throws IOException {
        try (var none = load(bytes());
                var named = load(bytes("default"));
                var coder = load(bytes("deepseek-coder"))) {
            assertThat(pieces(none, "ab, ab 123123"))
                    .containsExactly("ab", ",", "Ġab", "Ġ", "123", "123");
            assertThat(none.digest()).isEqualTo(named.digest());
            assertThat(pieces(coder, "ab ab 123")).containsExactly("ab", "Ġab", "Ġ", "1", "2", "3");
        }
    }

    @Test
    void everyKnownRuleIsSafe() throws IOException {
        for (var name : PreTokenizer.known()) {
            try (var tokenizer = load(bytes(name))) {
                var text = "It's 12 o'clock,\n\n  Ab\u00e9!";
                assertThat(tokenizer.decode(tokenizer.encode(text, false)))
                        .as(name)
                        .isEqualTo(text);
            }
        }
    }

    /// Files of Llama 3 begin texts with a token though they do not say so.
    @Test
    void whatStandsBeforeATextIsAsTheFileSays() throws IOException {
        try (var usual = load(bytes("llama-bpe"));
                var none = load(bytes("llama-bpe").truth("tokenizer.ggml.add_bos_token", false));
                var both =
                        load(
                                bytes("gpt-2")
                                        .truth("tokenizer.ggml.add_bos_token", true)
                                        .truth("tokenizer.ggml.add_eos_token", true))) {
            assertThat(usual.encode("a", true)).startsWith(0).hasSize(2);
            assertThat(none.encode("a", true)).hasSize(1);
            assertThat(both.encode("a", true)).startsWith(0).endsWith(0).hasSize(3);
        }
    }

    private static GgufWriter pieces() {
        var tokens = new ArrayList<>(List.of("<unk>", "<s>", "</s>"));
        var kinds = new ArrayList<>(List.of(2, 3, 3));
        var scores = new ArrayList<>(List.of(0f, 0f, 0f));
        for (int value = 0; value < 256; value++) {
            tokens.add("<0x%02X>".formatted(value));
            kinds.add(6);
            scores.add(0f);
        }
        for (var piece : List.of("▁a", "bc", "ab", "▁abc", "a", "b", "c", "▁")) {
            tokens.add(piece);
            kinds.add(1);
            scores.add(-(float) tokens.size());
        }
        return new GgufWriter()
                .text("tokenizer.ggml.model", "llama")
                .texts("tokenizer.ggml.tokens", tokens)
                .numbers("tokenizer.ggml.token_type", kinds)
                .reals("tokenizer.ggml.scores", scores)
                .number("tokenizer.ggml.bos_token_id", 1)
                .number("tokenizer.ggml.unknown_token_id", 0);
    }

    /// A file of a few megabytes could otherwise have a thousand times as many cuts.
    @Test
    void piecesThatAreTooLongAreRefused() {
        var tokens = new ArrayList<String>();
        var kinds = new ArrayList<Integer>();
        var scores = new ArrayList<Float>();
        for (int length = 1; length <= 1000; length++) {
            tokens.add("a".repeat(length));
            kinds.add(1);
            scores.add(0f);
        }
        var many =
                new GgufWriter()
                        .text("tokenizer.ggml.model", "llama")
                        .texts("tokenizer.ggml.tokens", tokens)
                        .numbers("tokenizer.ggml.token_type", kinds)
                        .reals("tokenizer.ggml.scores", scores);

        assertThatThrownBy(() -> load(many))
                .hasMessageStartingWith("TOKENIZER_INVALID: ")
                .hasMessageContaining(
                        "has pieces too long to be cut: the squares of their lengths sum to 333833500; expected at most 268435456");
    }

    /// The best score is merged first: `▁a` before `bc` before `ab`.
    @Test
    void sentencePieceMergesByScoreAndSpellsTheRestInBytes() throws IOException {
        try (var tokenizer = load(pieces())) {
            assertThat(pieces(tokenizer, "abc")).containsExactly("▁abc");
            assertThat(pieces(tokenizer, "cabc")).containsExactly("▁", "c", "a", "bc");
            assertThat(pieces(tokenizer, "\u00e9")).containsExactly("▁", "<0xC3>", "<0xA9>");
            assertThat(pieces(tokenizer, "a</s>a")).containsExactly("▁a", "</s>", "▁a");
            assertThat(tokenizer.encode("a", true)).startsWith(1).hasSize(2);
            assertThat(tokenizer.decode(tokenizer.encode("a \u00e9bc", false)))
                    .isEqualTo("a \u00e9bc");
        }
        try (var bare = load(pieces().truth("tokenizer.ggml.add_space_prefix", false))) {
            assertThat(pieces(bare, "abc")).containsExactly("a", "bc");
            assertThat(bare.decode(bare.encode(" a", false))).isEqualTo(" a");
        }
    }

    @Test
    void whatCannotBeReadIsRefusedByName() {
        assertThatThrownBy(() -> load(bytes("kimi-k2")))
                .hasMessageContaining("cuts texts by the rule 'kimi-k2' (tokenizer.ggml.pre)")
                .hasMessageContaining("llama-bpe");
        assertThatThrownBy(() -> load(new GgufWriter().text("tokenizer.ggml.model", "bert")))
                .hasMessageContaining("has 0 tokens with 0 types");
        assertThatThrownBy(() ->
                        load(
                                new GgufWriter()
                                        .text("tokenizer.ggml.model", "bert")
                                        .texts("tokenizer.ggml.tokens", List.of("a"))))
                .hasMessageContaining("is of the kind 'bert' (tokenizer.ggml.model)");
        assertThatThrownBy(() ->
                        load(
                                new GgufWriter()
                                        .text("tokenizer.ggml.model", "llama")
                                        .texts("tokenizer.ggml.tokens", List.of("a", "a"))))
                .hasMessageContaining("has the token 'a' twice");
        assertThatThrownBy(() ->
                        load(
                                new GgufWriter()
                                        .text("tokenizer.ggml.model", "llama")
                                        .texts("tokenizer.ggml.tokens", List.of("a"))))
                .hasMessageContaining("has 0 scores for 1 tokens");
    }

    private static List<String> pieces(HfTokenizer tokenizer, String text) {
        var pieces = new ArrayList<String>();
        for (int id : tokenizer.encode(text, false)) {
            pieces.add(tokenizer.piece(id));
        }
        return pieces;
    }

    private HfTokenizer load(GgufWriter file) throws IOException {
        return HfTokenizer.load(file.write(directory.resolve("x.gguf")));
    }
}
