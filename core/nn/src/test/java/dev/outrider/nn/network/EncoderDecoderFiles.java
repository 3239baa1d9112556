package dev.outrider.nn.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.nn.architecture.EncoderConfig;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Small encoder-decoders in their published layouts, and the results that `reference.py` beside them computes.
///
/// @param folder of the checkpoint
/// @param prompt of the decoder
/// @param cases  what follows it for some sources
record EncoderDecoderFiles(Path folder, int[] prompt, List<Case> cases) {
    static final List<String> ALL = List.of("t5-1.0", "t5-1.1", "bart", "marian");

    /// @param source what the encoder reads
    /// @param logits for every token of the prompt
    record Case(int[] source, float[][] logits) {}

    static EncoderDecoderFiles of(String name) {
        try {
            var resource = EncoderDecoderFiles.class.getResource("/encoder-decoder/" + name);
            var folder = Path.of(resource.toURI());
            var expected = new ObjectMapper().readTree(folder.resolve("expected.json").toFile());
            var cases = new ArrayList<Case>();
            for (var one : expected.path("cases")) {
                var logits =
                        one.path("logits")
                                .valueStream()
                                .map(EncoderDecoderFiles::floats)
                                .toArray(float[][]::new);
                cases.add(new Case(ints(one.path("source")), logits));
            }
            return new EncoderDecoderFiles(folder, ints(expected.path("prompt")), cases);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    ModelConfig config() {
        return ModelConfig.read(new Checkpoint(folder));
    }

    /// The caller closes it.
    EncoderDecoderNetwork vector(Precision precision) {
        return open(model -> model.vector(precision));
    }

    private EncoderDecoderNetwork open(Function<Model, DecoderNetwork> opened) {
        var model = config();
        try (var tensors = new Checkpoint(folder).openTensors()) {
            Function<DecoderConfig, Model.Stack> stack =
                    config -> new Model.Stack(config, new CheckpointWeights(config, tensors));
            return (EncoderDecoderNetwork)
                    opened.apply(
                            new Model(
                                    stack.apply(model.decoder()),
                                    model.encoder().map(EncoderConfig::stack).map(stack)));
        }
    }

    private static int[] ints(JsonNode list) {
        return list.valueStream().mapToInt(JsonNode::intValue).toArray();
    }

    private static float[] floats(JsonNode list) {
        var floats = new float[list.size()];
        IntStream.range(0, list.size())
                .forEach(index -> floats[index] = (float) list.path(index).doubleValue());
        return floats;
    }
}
