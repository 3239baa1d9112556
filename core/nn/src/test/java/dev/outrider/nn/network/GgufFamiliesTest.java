package dev.outrider.nn.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.vector.VectorNetwork;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Files from llama.cpp's own writer (`gguf/convert.py`) give the results of their families: as the papers define them
/// (`decoders`), or as llama.cpp computes them, whose GELU is a table of 16-bit floats.
class GgufFamiliesTest {
    @ParameterizedTest
    @CsvSource({
        "llama, llama.cpp, 1e-4",
        "qwen2, llama.cpp, 1e-4",
        "qwen3, llama.cpp, 1e-4",
        "gemma, paper, 1e-4",
        "gemma2, llama.cpp, 3e-3",
        "gemma3_text, paper, 1e-4",
        "gpt2, paper, 1e-4",
        "gpt_oss-mxfp4, paper, 1e-4",
        "gpt_neox, paper, 1e-4",
        "granite, paper, 1e-4",
        "mixtral, paper, 1e-4",
        "olmo2, paper, 1e-4",
        "phi3, paper, 1e-4",
        "qwen3_moe-all, paper, 1e-4",
        "smollm3, paper, 1e-4",
        "starcoder2, llama.cpp, 5e-3",
    })
    void computesWhatTheFamilyDoes(String family, String reference, float tolerance)
            throws IOException, URISyntaxException {
        var expected =
                reference.equals("paper")
                        ? "/decoders/%s/expected.json".formatted(family)
                        : "/gguf/models/%s.json".formatted(family);
        var read = new ObjectMapper().readTree(getClass().getResourceAsStream(expected));
        var file = getClass().getResource("/gguf/models/%s.gguf".formatted(family));
        var checkpoint = new Checkpoint(Path.of(file.toURI()));
        var config = ModelConfig.read(checkpoint).decoder();
        try (var tensors = checkpoint.openTensors()) {
            var weights = new CheckpointWeights(config, tensors);
            try (var network =
                    new VectorNetwork(config, new BlockWeights(weights), Precision.F32)) {
                check(network, read, tolerance);
            }
            try (var network = new VectorNetwork(config, weights, Precision.F32)) {
                check(network, read, tolerance);
            }
        }
    }

    private static void check(DecoderNetwork network, JsonNode expected, float tolerance) {
        int[] tokens = expected.path("tokens").valueStream().mapToInt(JsonNode::intValue).toArray();
        try (var cache = network.newCache(tokens.length);
                var result =
                        network.forward(
                                List.of(RowBlock.continuing(cache, tokens)),
                                PassOutputs.allLogits())) {
            for (int row = 0; row < tokens.length; row++) {
                var logits = Cases.floats(result.logits(row));
                for (int index = 0; index < logits.length; index++) {
                    assertThat((double) logits[index])
                            .as("token %d, logit %d", row, index)
                            .isCloseTo(
                                    expected.path("logits").path(row).path(index).doubleValue(),
                                    within((double) tolerance));
                }
            }
        }
    }
}
