package dev.outrider.nn.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.tokenizer.BpeTrainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointTokenizerTest {
    /// One special token and 256 bytes.
    private static final int PIECES = 257;

    @TempDir Path directory;

    @Test
    void loadsATokenizerWithAFewPiecesLess() throws IOException {
        assertThat(pieces(PIECES, 0)).isEqualTo(PIECES);
        assertThat(pieces(PIECES + 64, 0)).isEqualTo(PIECES);
    }

    @Test
    void refusesATokenizerWithMorePiecesOrFarFewer() {
        assertThatThrownBy(() -> pieces(PIECES - 1, 0))
                .hasMessage(
                        """
                        TOKENIZER_MISMATCH: the tokenizer of '%s' has 257 pieces with ids up to 256, but its model has 256 tokens; expected at most 64 more, or fewer by at most 64 added tokens
                          Use the tokenizer.json and the config.json that came with the weights.\
                        """
                                .formatted(directory));
        assertThatThrownBy(() -> pieces(PIECES + 65, 0))
                .hasMessageContaining("but its model has 322 tokens; expected at most 64 more");
    }

    /// As in Gemma 3 1B, and in Llama 2 with a token that fills up.
    @Test
    void readsAnAddedTokenThatTheModelHasNoRowFor() throws IOException {
        pieces(PIECES, 0);
        var file = directory.resolve("tokenizer.json");
        var root = (ObjectNode) new ObjectMapper().readTree(file.toFile());
        var added = (ArrayNode) root.path("added_tokens");
        added.add(added.get(0).deepCopy());
        ((ObjectNode) added.get(1)).put("id", PIECES).put("content", "<soft>");
        Files.writeString(file, root.toString());
        var checkpoint = new Checkpoint(directory);
        try (var tokenizer = CheckpointTokenizer.load(checkpoint, ModelConfig.read(checkpoint))) {
            assertThat(tokenizer.vocabularySize()).isEqualTo(PIECES);
            assertThat(tokenizer.encode("<so", false)).hasSize(3);
            assertThatThrownBy(() -> tokenizer.encode("a<soft>", false))
                    .hasMessageStartingWith(
                            "TOKEN_OUT_OF_RANGE: the text has the added token '<soft>' with the id 257, but the model of tokenizer '")
                    .hasMessageContaining("' has only 257 tokens");
        }
    }

    @Test
    void refusesAnEndThatIsAnOrdinaryPieceOrNone() {
        assertThatThrownBy(() -> pieces(PIECES, 34))
                .hasMessageContaining(
                        "ends with the id 34, but its tokenizer has there the piece '!'; expected one of its added tokens");
        assertThatThrownBy(() -> pieces(PIECES + 9, PIECES + 8))
                .hasMessageContaining("ends with the id 265, but its tokenizer has there nothing");
    }

    private int pieces(int rows, int end) throws IOException {
        new BpeTrainer()
                .add("some text")
                .train(PIECES, List.of("<|endoftext|>"))
                .write(directory.resolve("tokenizer.json"));
        Files.writeString(
                directory.resolve("config.json"),
                """
                {"model_type":"llama","hidden_size":64,"intermediate_size":128,"num_hidden_layers":4,
                 "num_attention_heads":8,"vocab_size":%d,"eos_token_id":%d}
                """
                        .formatted(rows, end));
        var checkpoint = new Checkpoint(directory);
        try (var tokenizer = CheckpointTokenizer.load(checkpoint, ModelConfig.read(checkpoint))) {
            return tokenizer.pieces();
        }
    }
}
