package dev.outrider.nn.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Files that end the process, hang it or bend the ids if the tokenizers library is given them as they are.
class HostileTokenizerTest extends TokenizerFiles {
    private static final String TEXT = "{\"Sequence\":{\"id\":\"A\",\"type_id\":0}}";

    @Test
    void readsThePlainFileThatTheOthersStartFrom() throws IOException {
        try (var tokenizer = load(PLAIN)) {
            assertThat(tokenizer.encode("ab<s>ax", true)).containsExactly(4, 1, 2, 6);
            assertThat(tokenizer.isAdded(1)).isTrue();
            assertThat(tokenizer.isAdded(2)).isFalse();
        }
    }

    @Test
    void refusesMergesThatThePrefixWouldCutApart() throws IOException {
        assertThat(refusalOf(with("/model/continuing_subword_prefix", "\"##\"")))
                .isEqualTo(
                        "merges [\"a\",\"b\"], but what follows begins with the continuing_subword_prefix '##'");
    }

    @Test
    void refusesExpressionsThatSomeTextKeepsBusy() throws IOException {
        var pattern = "{\"Regex\":\"(a+)+$\"}";
        var problem =
                ".Regex '(a+)+$', whose matching could take too long for some text: it repeats without bound in the group or lookaround that has 'a+'";
        assertThat(
                        refusalOf(
                                with(
                                        "/pre_tokenizer",
                                        "{\"type\":\"Split\",\"pattern\":%s,\"behavior\":\"Isolated\",\"invert\":false}"
                                                .formatted(pattern))))
                .isEqualTo("has pre_tokenizer.pattern" + problem);
        var replace = "{\"type\":\"Replace\",\"pattern\":%s,\"content\":\"x\"}".formatted(pattern);
        assertThat(refusalOf(with("/normalizer", replace)))
                .isEqualTo("has normalizer.pattern" + problem);
        assertThat(refusalOf(with("/decoder", replace))).isEqualTo("has decoder.pattern" + problem);
    }

    @Test
    void refusesTextsThatGrowWithoutMeasure() throws IOException {
        assertThat(refusalOf(with("/normalizer", chain(16, replace("a", "aa")))))
                .isEqualTo(
                        "makes a text up to 256 times as long by normalizer.normalizers[7]; expected at most 128 times");
        assertThat(
                        refusalOf(
                                with(
                                        "/normalizer",
                                        "{\"type\":\"Prepend\",\"prepend\":\"%s\"}"
                                                .formatted("a".repeat(1000)))))
                .isEqualTo(
                        "makes a text up to 1001 times as long by normalizer; expected at most 128 times");
        assertThat(refusalOf(with("/normalizer", chain(24, "{\"type\":\"ByteLevel\"}"))))
                .contains("up to 256 times as long");
        assertThat(
                        refusalOf(
                                with(
                                        "/normalizer",
                                        chain(
                                                70,
                                                "{\"type\":\"Strip\",\"strip_left\":true,\"strip_right\":true}"))))
                .isEqualTo("has more than 64 components, among them normalizer.normalizers[63]");
        assertThat(
                        refusalOf(
                                with(
                                        "/decoder",
                                        "{\"type\":\"Sequence\",\"decoders\":[%s]}"
                                                .formatted(repeated(16, replace("a", "aa"))))))
                .contains("up to 256 times as long by decoder.decoders[7]");
    }

    @Test
    void refusesTemplatesThatNameWhatIsNotThere() throws IOException {
        assertThat(
                        refusalOf(
                                template(
                                        "{\"SpecialToken\":{\"id\":\"<q>\",\"type_id\":0}}," + TEXT,
                                        "{}")))
                .isEqualTo(
                        "has post_processor.special_tokens.<q> = (none); expected as many ids as tokens");
        var start = "{\"SpecialToken\":{\"id\":\"<s>\",\"type_id\":0}},";
        assertThat(refusalOf(template(start + TEXT, special("[4294967295]"))))
                .isEqualTo(
                        "has in post_processor.special_tokens.<s> the token \"<s>\" with the id 4294967295, which its vocabulary has not");
        assertThat(refusalOf(template(start + TEXT, special("[2]"))))
                .contains("with the id 2, which");
        assertThat(refusalOf(template(start + TEXT, special("[1,1]"))))
                .contains("expected as many ids as tokens");
        assertThat(refusalOf(template(TEXT.replace("\"A\"", "\"B\""), "{}")))
                .isEqualTo("has post_processor.single[0].Sequence.id = \"B\"; expected one of A");
        assertThat(refusalOf(template(start.replace("},", "}"), special("[1]"))))
                .isEqualTo("has post_processor.single with the text 0 times; expected once");
        try (var tokenizer = load(template(start + TEXT, special("[1]")))) {
            assertThat(tokenizer.encode("a", true)).containsExactly(1, 2);
        }
    }

    @Test
    void refusesSpecialTokensPutAroundTwice() throws IOException {
        var frame = "{\"type\":\"BertProcessing\",\"sep\":[\"<s>\",1],\"cls\":[\"<unk>\",0]}";
        assertThat(
                        refusalOf(
                                with(
                                        "/post_processor",
                                        "{\"type\":\"Sequence\",\"processors\":[%s,%s]}"
                                                .formatted(frame, frame))))
                .isEqualTo(
                        "has a second component that adds special tokens, post_processor.processors[1]; expected one");
        assertThat(refusalOf(with("/post_processor", frame.replace("1]", "4294967295]"))))
                .isEqualTo(
                        "has in post_processor the token \"<s>\" with the id 4294967295, which its vocabulary has not");
    }

    @Test
    void refusesSettingsThatTheLibraryCannotCarryOut() throws IOException {
        assertThat(refusalOf(with("/pre_tokenizer", "{\"type\":\"FixedLength\",\"length\":0}")))
                .isEqualTo(
                        "has pre_tokenizer.length = 0; expected an integer from 1 to 2147483647");
        assertThat(
                        refusalOf(
                                with(
                                        "/decoder",
                                        "{\"type\":\"Strip\",\"content\":\" \",\"start\":0,\"stop\":1}")))
                .isEqualTo("has decoder.stop = 1; expected an integer from 0 to 0");
        assertThat(refusalOf(with("/normalizer", "{\"type\":\"Prepend\",\"prepend\":\"\"}")))
                .isEqualTo("has normalizer.prepend = \"\"; expected at least one character");
        assertThat(
                        refusalOf(
                                with(
                                        "/normalizer",
                                        "{\"type\":\"Replace\",\"pattern\":{\"Regex\":\"^a?\"},\"content\":\"x\"}")))
                .endsWith("expected one that never matches an empty text");
        assertThat(refusalOf(with("/model/dropout", "0.5")))
                .isEqualTo(
                        "has model.dropout = 0.5; expected none, since the same text shall give the same ids");
        assertThat(refusalOf(with("/decoder", "{\"type\":\"Fusion\"}")))
                .startsWith("has decoder.type = \"Fusion\"; expected one of Sequence, ");
    }

    @Test
    void showsTheLibraryNothingThatItWasNotAskedToRead() throws IOException {
        try (var tokenizer =
                load(
                        with(
                                "/decoder",
                                "{\"type\":\"Fuse\",\"more\":1%s}".formatted("0".repeat(400))))) {
            assertThat(tokenizer.decode(new int[] {2, 3})).isEqualTo("ab");
        }
    }

    @Test
    void refusesAddedTokensThatTheLibraryWouldCutWrongly() throws IOException {
        assertThat(
                        refusalOf(
                                with(
                                        "/added_tokens",
                                        "[%s,%s]"
                                                .formatted(
                                                        added(6, "x", "\"rstrip\":true"),
                                                        added(5, " ", "\"lstrip\":true")))))
                .startsWith("has added tokens with rstrip and others that begin with a space");
        var strip =
                with(
                        "/normalizer",
                        "{\"type\":\"Strip\",\"strip_left\":true,\"strip_right\":false}");
        assertThat(
                        refusalOf(
                                with(
                                        strip,
                                        "/added_tokens",
                                        "[%s]".formatted(added(5, " ", "\"normalized\":true")))))
                .isEqualTo(
                        "has added_tokens[0].normalized = true; expected false where the normalizer may remove the token");
    }

    @Test
    void refusesIdsThatTheLibraryWouldNotUse() throws IOException {
        assertThat(refusalOf(with("/added_tokens", "[%s]".formatted(added(900, "<q>")))))
                .isEqualTo(
                        "gives the added token '<q>' the id 900, but the next free id, which the library takes, is 7");
        assertThat(refusalOf(with("/model/vocab/x", "3")))
                .isEqualTo("gives both 'b' and 'x' the id 3");
        assertThat(refusalOf(with("/added_tokens", "[%s]".formatted(added(4, "x")))))
                .isEqualTo("gives both 'ab' and 'x' the id 4");
        assertThat(
                        refusalOf(
                                with(
                                        "/added_tokens",
                                        "[%s]"
                                                .formatted(
                                                        IntStream.range(0, 8193)
                                                                .mapToObj(
                                                                        i -> added(7 + i, "t" + i))
                                                                .collect(
                                                                        Collectors.joining(","))))))
                .isEqualTo("has 8193 added tokens; expected at most 8192");
        try (var tokenizer = load(with("/added_tokens", "[%s]".formatted(added(7, "<q>"))))) {
            assertThat(tokenizer.encode("a<q>", false)).containsExactly(2, 7);
        }
    }

    @Test
    void saysWhichTextHasNoPiece() throws IOException {
        var unigram =
                "{\"type\":\"Unigram\",\"unk_id\":null,\"vocab\":[[\"a\",-1.0]],\"byte_fallback\":false}";
        for (var model : List.of(unigram, with("/model/unk_token", "\"<none>\""))) {
            var file =
                    model.equals(unigram)
                            ? with(with("/added_tokens", "[]"), "/model", model)
                            : model;
            try (var tokenizer = load(file)) {
                assertThat(tokenizer.encode("a", false)).hasSize(1);
                assertThatThrownBy(() -> tokenizer.encode("aß", false))
                        .isInstanceOf(OutriderException.class)
                        .hasMessageStartingWith("TOKENIZER_INVALID")
                        .hasMessageContaining("cannot encode a text: ");
            }
        }
        assertThat(
                        refusalOf(
                                with(
                                        with("/added_tokens", "[]"),
                                        "/model",
                                        "{\"type\":\"WordLevel\",\"unk_token\":\"q\",\"vocab\":{\"a\":0}}")))
                .isEqualTo("has model.unk_token = \"q\"; expected a piece of model.vocab");
    }

    @Test
    void refusesModelsThatAreSlowByDesign() throws IOException {
        var pieces =
                IntStream.range(1, 80)
                        .mapToObj(i -> "[\"%s\",-1.0]".formatted("a".repeat(i)))
                        .collect(Collectors.joining(","));
        var unigram = "{\"type\":\"Unigram\",\"unk_id\":0,\"vocab\":[%s],\"byte_fallback\":false}";
        var bare = with("/added_tokens", "[]");
        assertThat(refusalOf(with(bare, "/model", unigram.formatted(pieces))))
                .endsWith(
                        "expected at most 512 bytes and at most 64 pieces that begin one another");
        assertThat(
                        refusalOf(
                                with(
                                        bare,
                                        "/model",
                                        unigram.formatted(
                                                "[\"%s\",0]".formatted("a".repeat(513))))))
                .endsWith(
                        "expected at most 512 bytes and at most 64 pieces that begin one another");
        assertThat(
                        refusalOf(
                                with(
                                        bare,
                                        "/model",
                                        "{\"type\":\"WordPiece\",\"unk_token\":\"a\",\"continuing_subword_prefix\":\"##\",\"max_input_chars_per_word\":1000000000,\"vocab\":{\"a\":0}}")))
                .isEqualTo(
                        "has model.max_input_chars_per_word = 1000000000; expected an integer from 1 to 200");
    }

    @Test
    void refusesJsonThatTwoReadersUnderstandDifferently() throws IOException {
        assertThat(refusalOf(PLAIN.replace("\"x\":6", "\"x\":6,\"a\":6")))
                .startsWith("is not valid JSON: Duplicate field 'a'");
        assertThat(refusalOf(PLAIN + "{}")).startsWith("is not valid JSON: Trailing token");
        assertThat(
                        refusalOf(
                                PLAIN.replace(
                                        "\"decoder\":null",
                                        "\"decoder\":{\"type\":\"Fuse\",\"q\":1e999}")))
                .isEqualTo("is not valid JSON: a number beyond the range of a double");
        assertThat(refusalOf("{\"a\":" + "[".repeat(100) + "]".repeat(100) + "}"))
                .startsWith("is not valid JSON: Document nesting depth");
        assertThat(refusalOf(PLAIN.replace("\"x\":6", "\"\\ud800\":6")))
                .startsWith("is not valid JSON: ");
    }

    @Test
    void readsHalfASurrogatePairWithoutLosingTheWholeOnes() throws IOException {
        var cat =
                with(
                        "/model/vocab",
                        "{\"<unk>\":0,\"<s>\":1,\"a\":2,\"b\":3,\"ab\":4,\"🐈\":5,\"\uFFFD\":6}");
        try (var tokenizer = load(cat)) {
            assertThat(tokenizer.encode("🐈\uD83Da🐈\uDE00", false)).containsExactly(5, 6, 2, 5, 6);
        }
    }

    @Test
    void refusesTextsTooLongForTheLibrary() throws IOException {
        try (var tokenizer = load(with("/normalizer", replace("a", "bbbb")))) {
            assertThatThrownBy(() -> tokenizer.encode("a".repeat((4 << 20) + 1), false))
                    .hasMessageStartingWith(
                            "CONTEXT_EXCEEDED: a text of 4194305 bytes is too long for tokenizer '")
                    .hasMessageContaining("; expected at most 4194304\n");
        }
    }

    private static String replace(String from, String to) {
        return "{\"type\":\"Replace\",\"pattern\":{\"String\":\"%s\"},\"content\":\"%s\"}"
                .formatted(from, to);
    }

    private static String chain(int length, String normalizer) {
        return "{\"type\":\"Sequence\",\"normalizers\":[%s]}"
                .formatted(repeated(length, normalizer));
    }

    private static String repeated(int length, String part) {
        return String.join(",", Collections.nCopies(length, part));
    }

    private static String template(String single, String tokens) throws IOException {
        return with(
                "/post_processor",
                "{\"type\":\"TemplateProcessing\",\"single\":[%s],\"pair\":[],\"special_tokens\":%s}"
                        .formatted(single, tokens));
    }

    private static String special(String ids) {
        return "{\"<s>\":{\"id\":\"<s>\",\"ids\":%s,\"tokens\":[\"<s>\"]}}".formatted(ids);
    }

    private static String added(int id, String content, String... changes) {
        var flags =
                "\"single_word\":false,\"lstrip\":false,\"rstrip\":false,\"normalized\":false,\"special\":false";
        for (var change : changes) {
            flags = flags.replace(change.replace("true", "false"), change);
        }
        return "{\"id\":%d,\"content\":\"%s\",%s}".formatted(id, content, flags);
    }
}
