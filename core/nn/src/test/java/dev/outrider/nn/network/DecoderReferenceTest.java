package dev.outrider.nn.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.tree.TokenTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Every family of decoders computes the same as an implementation in another language that was written only from its paper.
class DecoderReferenceTest {
    private static final float TOLERANCE = 1e-4f;

    static final List<String> FAMILIES =
            List.of(
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
                    "phi3",
                    "mixtral",
                    "qwen3_moe",
                    "qwen3_moe-all",
                    "qwen2_moe",
                    "gpt_oss",
                    "gpt_oss-mxfp4");

    /// The content of a family's files.
    ///
    /// @param tokens a text
    /// @param logits after every token
    private record Expected(Path folder, int[] tokens, float[][] logits) {
        static Expected of(String family) {
            try {
                var resource = DecoderReferenceTest.class.getResource("/decoders/" + family);
                var folder = Path.of(resource.toURI());
                var file = folder.resolve("expected.json").toFile();
                var read = new ObjectMapper().readTree(file);
                return new Expected(
                        folder,
                        read.path("tokens").valueStream().mapToInt(JsonNode::intValue).toArray(),
                        read.path("logits")
                                .valueStream()
                                .map(Expected::floats)
                                .toArray(float[][]::new));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (URISyntaxException e) {
                throw new IllegalStateException(e);
            }
        }

        private static float[] floats(JsonNode list) {
            var floats = new float[list.size()];
            for (int index = 0; index < floats.length; index++) {
                floats[index] = (float) list.path(index).doubleValue();
            }
            return floats;
        }

        DecoderNetwork open() {
            var directory = new Checkpoint(folder);
            var model = ModelConfig.read(directory);
            var decoder = model.decoder();
            try (var tensors = directory.openTensors()) {
                var weights = CheckpointWeights.of(decoder, tensors, model.quantisation());
                return new VectorNetwork(
                        decoder,
                        weights.inBlocks() ? new BlockWeights(weights) : weights,
                        Precision.F32);
            }
        }
    }

    @ParameterizedTest
    @FieldSource("FAMILIES")
    void vectorCodeComputesTheReference(String family) {
        check(Expected.of(family));
    }

    /// In one pass, token by token, and as one path of a tree whose other nodes are wrong.
    private static void check(Expected expected) {
        int[] tokens = expected.tokens();
        try (var network = expected.open();
                var whole = network.newCache(tokens.length);
                var stepped = network.newCache(tokens.length);
                var branched = network.newCache(2 * tokens.length)) {
            try (var result = pass(network, RowBlock.continuing(whole, tokens))) {
                for (int row = 0; row < tokens.length; row++) {
                    assertNear(result, row, expected.logits()[row]);
                }
            }
            for (int row = 0; row < tokens.length; row++) {
                try (var result = pass(network, RowBlock.continuing(stepped, tokens[row]))) {
                    assertNear(result, 0, expected.logits()[row]);
                }
                stepped.keep(List.of(0));
            }
            pass(network, RowBlock.continuing(branched, tokens[0], tokens[1])).close();
            branched.keep(List.of(0, 1));
            var tree = TokenTree.builder(tokens[2]);
            var right = new ArrayList<>(List.of(0));
            for (int at = 3; at < tokens.length; at++) {
                tree.add(right.getLast(), 0);
                right.add(tree.size());
                tree.add(right.get(right.size() - 2), tokens[at]);
            }
            try (var result = pass(network, RowBlock.ofTree(branched, tree.build()))) {
                for (int at = 0; at < right.size(); at++) {
                    assertNear(result, right.get(at), expected.logits()[2 + at]);
                }
            }
        }
    }

    private static PassResult pass(DecoderNetwork network, RowBlock block) {
        return network.forward(List.of(block), PassOutputs.allLogits());
    }

    private static void assertNear(PassResult result, int row, float[] expected) {
        assertThat(Cases.floats(result.logits(row))).containsExactly(expected, within(TOLERANCE));
    }
}
