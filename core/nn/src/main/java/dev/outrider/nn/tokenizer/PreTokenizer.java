package dev.outrider.nn.tokenizer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The ways in which byte vocabularies divide a text into words, by the names in GGUF files
/// (`tokenizer.ggml.pre`). The expressions are those of the models' own `tokenizer.json`, and divide
/// a text in turn.
///
/// @see "llama.cpp, src/llama-vocab.cpp and conversion/base.py, get_vocab_base_pre"
enum PreTokenizer {
    /// The pre-tokenizer of GPT-2 (Radford et al. 2019).
    GPT2(List.of("gpt-2", "phi-2", "exaone4", "a.x-4.0", "gigachat")),
    /// GPT-2's, for texts in the composed form.
    COMPOSED_GPT2(List.of("olmo", "mpt")),
    /// GPT-2's, with every digit separate.
    DIGITS(List.of("starcoder", "refact", "smollm", "codeshell", "exaone", "minerva-7b")),
    LLAMA3(
            List.of(
                    "llama-bpe",
                    "llama3",
                    "llama-v3",
                    "falcon3",
                    "lfm2",
                    "dbrx",
                    "smaug-bpe",
                    "glm4",
                    "chatglm-bpe"),
            "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"),
    QWEN2(
            List.of("qwen2", "deepseek-r1-qwen", "megrez"),
            "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"),
    TEKKEN(
            List.of("tekken"),
            "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"),
    GPT4O(
            List.of("gpt-4o", "llama4"),
            "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"),
    DEEPSEEK_LLM(
            List.of("deepseek-llm"),
            "[\\r\\n]",
            "\\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+",
            "\\s?[!-/:-~！-／：-～‘-‟　-。]+",
            "\\s+$",
            "[一-龥ࠀ-一가-퟿]+",
            "\\p{N}"),
    DEEPSEEK_CODER(
            List.of("deepseek-coder"),
            "[\\r\\n]",
            "\\s?\\p{L}+",
            "\\s?\\p{P}+",
            "[一-龥ࠀ-一가-퟿]+",
            "\\p{N}"),
    DEEPSEEK_V3(
            List.of("deepseek-v3"),
            "\\p{N}{1,3}",
            "[一-龥぀-ゟ゠-ヿ]+",
            "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"),
    /// The pre-tokenizer of llama.cpp for files that name no other.
    DEFAULT(
            List.of("default"),
            "[\\p{P}\\$\\+<=>\\^~\\|]+",
            "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
            "\\p{N}+",
            "[0-9][0-9][0-9]");

    private final List<String> names;
    private final List<String> expressions;

    PreTokenizer(List<String> names, String... expressions) {
        this.names = names;
        this.expressions = List.of(expressions);
    }

    static Optional<PreTokenizer> named(String name) {
        return Arrays.stream(values()).filter(each -> each.names.contains(name)).findFirst();
    }

    /// Returns its names, the usual one first.
    List<String> names() {
        return names;
    }

    /// Returns all known names.
    static List<String> known() {
        return Arrays.stream(values()).flatMap(each -> each.names.stream()).sorted().toList();
    }

    /// Returns whether a word that is a piece is never split, even if the merges would split it, and texts
    /// begin with a token by default.
    boolean wholeWords() {
        return this == LLAMA3 || this == TEKKEN;
    }

    /// Returns whether texts are composed first.
    boolean composes() {
        return this == QWEN2 || this == COMPOSED_GPT2;
    }

    /// Writes the components that divide texts.
    void write(ObjectNode root) {
        var node = root.putObject("pre_tokenizer");
        if (expressions.isEmpty() && this != DIGITS) {
            bytes(node, true);
            return;
        }
        ArrayNode steps = node.put("type", "Sequence").putArray("pretokenizers");
        if (this == DIGITS) {
            steps.addObject().put("type", "Digits").put("individual_digits", true);
        }
        expressions.forEach(regex ->
                steps.addObject()
                        .put("type", "Split")
                        .put("behavior", "Isolated")
                        .put("invert", false)
                        .putObject("pattern")
                        .put("Regex", regex));
        bytes(steps.addObject(), expressions.isEmpty());
    }

    /// Writes the component that spells bytes as characters.
    ///
    /// @param cuts whether it divides texts like GPT-2
    static void bytes(ObjectNode node, boolean cuts) {
        node.put("type", "ByteLevel")
                .put("add_prefix_space", false)
                .put("trim_offsets", true)
                .put("use_regex", cuts);
    }
}
