package dev.outrider.nn.architecture;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;

/// Writes the configuration files that tests need.
abstract class ConfigFiles {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    static final String LLAMA31 =
            """
            {"architectures":["LlamaForCausalLM"],"attention_bias":false,"bos_token_id":128000,
             "eos_token_id":[128001,128008,128009],"hidden_act":"silu","hidden_size":4096,"intermediate_size":14336,
             "max_position_embeddings":131072,"mlp_bias":false,"model_type":"llama","num_attention_heads":32,
             "num_hidden_layers":32,"num_key_value_heads":8,"rms_norm_eps":1e-05,
             "rope_scaling":{"factor":8.0,"low_freq_factor":1.0,"high_freq_factor":4.0,
               "original_max_position_embeddings":8192,"rope_type":"llama3"},
             "rope_theta":500000.0,"tie_word_embeddings":false,"torch_dtype":"bfloat16","vocab_size":128256}
            """;
    static final String SMALL =
            """
            {"model_type":"llama","hidden_size":64,"intermediate_size":128,"num_hidden_layers":4,
             "num_attention_heads":8,"vocab_size":100}
            """;

    @TempDir Path directory;

    /// The small configuration with some values set, each given as JSON.
    ModelConfig small(String... changes) throws IOException {
        var root = (ObjectNode) MAPPER.readTree(SMALL);
        for (int i = 0; i < changes.length; i += 2) {
            root.set(changes[i], MAPPER.readTree(changes[i + 1]));
        }
        return read(root.toString());
    }

    ModelConfig read(String json) throws IOException {
        Files.writeString(directory.resolve("config.json"), json);
        return ModelConfig.read(new Checkpoint(directory));
    }

    /// The first line of the message with `%s` for the file.
    String refusal(String... changes) throws IOException {
        try {
            return "accepted as " + small(changes);
        } catch (OutriderException e) {
            return Objects.requireNonNull(e.getMessage())
                    .lines()
                    .findFirst()
                    .orElseThrow()
                    .replace(directory.resolve("config.json").toString(), "%s");
        }
    }
}
