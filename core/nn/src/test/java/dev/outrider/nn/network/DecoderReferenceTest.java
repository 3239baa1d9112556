package dev.outrider.nn.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.CheckpointDirectory;
import dev.outrider.nn.vector.VectorNetwork;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every family of decoders computes what an implementation in another language, made from its paper alone, computes.
class DecoderReferenceTest {
    private static final float TOLERANCE = 1e-4f;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gpt_neox",
                "gpt2",
                "opt",
                "gemma",
                "gemma2",
                "gemma3_text",
                "olmo2",
                "granite",
                "smollm3",
                "starcoder2",
                "phi3"
            })
    void logitsAreThoseOfTheReference(String family) throws IOException, URISyntaxException {
        var folder = Path.of(getClass().getResource("/decoders/" + family).toURI());
        var expected = new ObjectMapper().readTree(folder.resolve("expected.json").toFile());
        int[] tokens = expected.path("tokens").valueStream().mapToInt(JsonNode::intValue).toArray();
        var directory = new CheckpointDirectory(folder);
        var model = ModelConfig.read(directory);
        try (var tensors = directory.openTensors();
                var network =
                        new VectorNetwork(
                                model.decoder(),
                                new CheckpointWeights(model.decoder(), tensors),
                                Precision.F32);
                var whole = network.newCache(tokens.length);
                var stepped = network.newCache(tokens.length);
                var result =
                        network.forward(
                                List.of(RowBlock.continuing(whole, tokens)),
                                PassOutputs.allLogits())) {
            for (int row = 0; row < tokens.length; row++) {
                var logits = expected.path("logits").path(row);
                var actual = Cases.floats(result.logits(row));
                for (int token = 0; token < actual.length; token++) {
                    assertThat(actual[token])
                            .as("%s, row %d, token %d", family, row, token)
                            .isCloseTo((float) logits.path(token).doubleValue(), within(TOLERANCE));
                }
                try (var step =
                        network.forward(
                                List.of(RowBlock.continuing(stepped, tokens[row])),
                                PassOutputs.allLogits())) {
                    assertThat(Cases.floats(step.logits(0))).isEqualTo(actual);
                }
                stepped.keep(List.of(0));
            }
        }
    }
}
