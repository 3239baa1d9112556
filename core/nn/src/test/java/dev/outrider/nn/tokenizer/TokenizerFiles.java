package dev.outrider.nn.tokenizer;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;

/// Small `tokenizer.json` files as tests want them.
abstract class TokenizerFiles {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /// Without a component but the model.
    static final String PLAIN =
            """
            {"version":"1.0","truncation":null,"padding":null,
             "added_tokens":[
               {"id":0,"content":"<unk>","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true},
               {"id":1,"content":"<s>","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true}],
             "normalizer":null,"pre_tokenizer":null,"post_processor":null,"decoder":null,
             "model":{"type":"BPE","dropout":null,"unk_token":"<unk>","continuing_subword_prefix":null,
               "end_of_word_suffix":null,"fuse_unk":false,"byte_fallback":false,"ignore_merges":false,
               "vocab":{"<unk>":0,"<s>":1,"a":2,"b":3,"ab":4," ":5,"x":6},"merges":[["a","b"]]}}
            """;

    @TempDir Path directory;

    /// The plain file with a value changed.
    ///
    /// @param pointer where, such as `/model/vocab`
    /// @param value   the value as JSON
    static String with(String pointer, String value) throws IOException {
        return with(PLAIN, pointer, value);
    }

    static String with(String json, String pointer, String value) throws IOException {
        var root = MAPPER.readTree(json);
        int end = pointer.lastIndexOf('/');
        var parent = (ObjectNode) root.at(pointer.substring(0, end));
        parent.set(pointer.substring(end + 1), MAPPER.readTree(value));
        return root.toString();
    }

    HfTokenizer load(String json) throws IOException {
        return HfTokenizer.load(Files.writeString(directory.resolve("tokenizer.json"), json));
    }

    /// Returns the message about the file.
    String refusalOf(String json) throws IOException {
        try (var tokenizer = load(json)) {
            return "accepted with " + tokenizer.vocabularySize() + " ids";
        } catch (OutriderException e) {
            if (!e.code().equals(ErrorCode.TOKENIZER_INVALID)) {
                throw e;
            }
            return problemOf(e);
        }
    }

    String problemOf(OutriderException e) {
        var first = Objects.requireNonNull(e.getMessage()).lines().findFirst().orElse("");
        var prefix =
                "TOKENIZER_INVALID: tokenizer '%s' ".formatted(directory.resolve("tokenizer.json"));
        return first.startsWith(prefix) ? first.substring(prefix.length()) : first;
    }
}
