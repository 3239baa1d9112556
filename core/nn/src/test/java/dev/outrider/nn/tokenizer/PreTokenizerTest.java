package dev.outrider.nn.tokenizer;

import static java.util.regex.Pattern.MULTILINE;
import static java.util.regex.Pattern.UNICODE_CHARACTER_CLASS;
import static java.util.regex.Pattern.UNIX_LINES;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.tokenizer.BpeTrainer.ByteAlphabet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Texts are divided as Java's own matcher divides them.
class PreTokenizerTest extends TokenizerFiles {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static final String GPT2 =
            "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

    private static List<String> expressions(String name) {
        return switch (name) {
            case "default" -> List.of("[\\p{P}$+<=>^~|]+", GPT2, "\\p{N}+", "[0-9]{3}");
            case "deepseek-coder" ->
                    List.of(
                            "[\\r\\n]",
                            "\\s?\\p{L}+",
                            "\\s?\\p{P}+",
                            "[\\u4E00-\\u9FA5\\u0800-\\u4E00\\uAC00-\\uD7FF]+",
                            "\\p{N}");
            case "deepseek-v3" ->
                    List.of(
                            "\\p{N}{1,3}",
                            "[\\u4E00-\\u9FA5\\u3040-\\u309F\\u30A0-\\u30FF]+",
                            "[!-/:-@\\[-`{-~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+");
            case "deepseek-llm" ->
                    List.of(
                            "[\\r\\n]",
                            // The letters with case, as far as the texts below have them.
                            "\\s?[\\p{Lu}\\p{Ll}\\p{Lt}&&[^\\u10D0-\\u10FF]]+",
                            "\\s?[!-/:-~\\uFF01-\\uFF0F\\uFF1A-\\uFF5E\\u2018-\\u201F\\u3000-\\u3002]+",
                            "\\s+$",
                            "[\\u4E00-\\u9FA5\\u0800-\\u4E00\\uAC00-\\uD7FF]+",
                            "\\p{N}");
            default -> throw new IllegalArgumentException(name);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "deepseek-llm", "deepseek-coder", "deepseek-v3"})
    void dividesAsJavaDoes(String name) throws IOException {
        var root = (ObjectNode) MAPPER.readTree(PLAIN);
        PreTokenizer.named(name).orElseThrow().write(root);
        var cuts = root.path("pre_tokenizer").toString();
        requireSame(cuts, expressions(name));
        if (cuts.contains(split("\\p{N}"))) {
            var published =
                    cuts.replace(
                            split("\\p{N}"), "{\"type\":\"Digits\",\"individual_digits\":true}");
            requireSame(published, expressions(name));
        }
    }

    /// In the files of DeepSeek V3 and R1 the line ends are raw.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
                "\\s+$",
                " +$",
                "\\s+(?!\\n)x?"
            })
    void matchesAsJavaDoes(String expression) throws IOException {
        requireSame(
                "{\"type\":\"Sequence\",\"pretokenizers\":[%s,{\"type\":\"ByteLevel\",\"add_prefix_space\":false,\"trim_offsets\":true,\"use_regex\":false}]}"
                        .formatted(split(expression)),
                List.of(expression));
    }

    private static String split(String expression) throws IOException {
        return "{\"type\":\"Split\",\"behavior\":\"Isolated\",\"invert\":false,\"pattern\":{\"Regex\":%s}}"
                .formatted(MAPPER.writeValueAsString(expression));
    }

    /// The class makes the tokens around a text again, from its settings and their defaults; DeepSeek's files rely on it. Token 6 is
    /// only in the vocabulary.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                         | BYTES | 1 4",
                "{}                                                         | BEGUN | 1 4",
                "{}                                                         | OTHER | 1 4",
                "{'bos_token':{'content':'<s>'}}                            | BYTES | 1 4",
                "{'bos_token':'x'}                                          | BYTES | 6 4",
                "{'bos_token':'x'}                                          | BEGUN | 6 4",
                "{'add_bos_token':false}                                    | BYTES | 4",
                "{'add_bos_token':false}                                    | BEGUN | 4",
                "{'add_eos_token':true,'eos_token':'x'}                     | BEGUN | 1 4 6",
                "{'add_eos_token':true,'eos_token':'x','bos_token':'none'}  | BYTES | 4",
                "{'add_eos_token':true,'eos_token':'x','bos_token':'none'}  | OTHER | 6 4",
                "{'add_eos_token':true}                                     | BEGUN | 1 4",
                "{'bos_token':null}                                         | BYTES | 4",
                "{'tokenizer_class':'LlamaTokenizer'}                       | BYTES | 1 4",
                "{'tokenizer_class':'Qwen2Tokenizer'}                       | BYTES | 4"
            })
    void aLlamaTokenizerFramesTextsByItsSettings(String settings, Framing given, String expected)
            throws IOException {
        var root = MAPPER.createObjectNode().put("tokenizer_class", "LlamaTokenizerFast");
        root.setAll((ObjectNode) MAPPER.readTree(settings.replace('\'', '"')));
        Files.writeString(directory.resolve("tokenizer_config.json"), root.toString());
        var ids = Stream.of(expected.split(" ")).mapToInt(Integer::parseInt).toArray();
        try (var tokenizer = load(with("/post_processor", given.json.replace('\'', '"')))) {
            assertThat(tokenizer.encode("ab", true)).containsExactly(ids);
            assertThat(tokenizer.encode("ab", false)).containsExactly(4);
        }
    }

    /// The tokens that `tokenizer.json` adds around a text.
    enum Framing {
        /// Nothing.
        BYTES("{'type':'ByteLevel','add_prefix_space':true,'trim_offsets':false,'use_regex':true}"),
        /// Token 1 before it.
        BEGUN(template(1, "<s>")),
        /// The same name, but token 6.
        OTHER(template(6, "x"));

        private final String json;

        Framing(String json) {
            this.json = json;
        }

        private static String template(int id, String piece) {
            return "{'type':'TemplateProcessing','single':[{'SpecialToken':{'id':'<s>','type_id':0}},{'Sequence':{'id':'A','type_id':0}}],'pair':[],'special_tokens':{'<s>':{'id':'<s>','ids':[%d],'tokens':['%s']}}}"
                    .formatted(id, piece);
        }
    }

    /// Every piece of Java's is a word of its own; another division has unknown ones.
    private void requireSame(String cuts, List<String> expressions) throws IOException {
        var alphabet =
                "aB\u00e91\u0663 \n\t\r\u00a0\u3000.,'$<_\uff0c\u201c\u65e5\uac00\u3042\u0301\ud801\udc00\ud83d\ude00x  \n";
        var letters = alphabet.codePoints().toArray();
        var random = new Random(3);
        var texts = new ArrayList<>(List.of("It's 12345 o'clock,  \r\n\n x\t ", "a  \n  \nb  "));
        for (int i = 0; i < 400; i++) {
            texts.add(
                    random.ints(random.nextInt(1, 24), 0, letters.length)
                            .mapToObj(at -> Character.toString(letters[at]))
                            .collect(Collectors.joining()));
        }
        var wanted = texts.stream().map(text -> cut(text, expressions)).toList();
        var vocab = MAPPER.createObjectNode().put("<unk>", 0);
        wanted.stream()
                .flatMap(List::stream)
                .distinct()
                .forEach(word -> vocab.put(word, vocab.size()));
        var model =
                MAPPER.createObjectNode()
                        .put("type", "WordLevel")
                        .put("unk_token", "<unk>")
                        .set("vocab", vocab);
        var json =
                with(
                        with(with("/added_tokens", "[]"), "/model", model.toString()),
                        "/pre_tokenizer",
                        cuts);
        try (var tokenizer = load(json)) {
            for (int i = 0; i < texts.size(); i++) {
                var pieces =
                        Arrays.stream(tokenizer.encode(texts.get(i), false))
                                .mapToObj(tokenizer::piece)
                                .toList();
                assertThat(pieces).as(texts.get(i)).isEqualTo(wanted.get(i));
            }
        }
    }

    private static List<String> cut(String text, List<String> expressions) {
        var pieces = List.of(text);
        for (var expression : expressions) {
            var pattern =
                    Pattern.compile(expression, MULTILINE | UNIX_LINES | UNICODE_CHARACTER_CLASS);
            var next = new ArrayList<String>();
            for (var piece : pieces) {
                int end = 0;
                for (var match : pattern.matcher(piece).results().toList()) {
                    next.add(piece.substring(end, match.start()));
                    next.add(match.group());
                    end = match.end();
                }
                next.add(piece.substring(end));
            }
            pieces = next.stream().filter(piece -> !piece.isEmpty()).toList();
        }
        return pieces.stream().map(PreTokenizerTest::spelled).toList();
    }

    private static String spelled(String piece) {
        var spelled = new StringBuilder();
        for (byte value : piece.getBytes(StandardCharsets.UTF_8)) {
            spelled.append(ByteAlphabet.characterOf(value & 0xff));
        }
        return spelled.toString();
    }
}
