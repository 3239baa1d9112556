package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.types.Shape;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RopeTable;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.target.LoadedDecoder;
import dev.outrider.nn.tokenizer.BpeTrainer;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TensorThread;
import dev.outrider.torch.TorchScript;
import dev.outrider.torch.TorchValue;
import dev.outrider.training.DecoderShape.DecoderParameters;
import dev.outrider.training.DecoderShape.MixtureShape;
import dev.outrider.training.TrainingConfig.LearningRate;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Training writes a checkpoint that loads like any other.
class TrainedModelLoadsTest {
    private static final String TEXT = "the lantern was at the mill and the miller had the lantern";

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFinishedModelGivesTheLogitsItWasTrainedTo(boolean tied) throws IOException {
        check(new DecoderShape(270, 16, 2, 4, 2, 8, 24, 64, 10_000, 1e-5, tied, Optional.empty()));
    }

    @Test
    void soDoesOneWithExperts() throws IOException {
        var mixture = Optional.of(new MixtureShape(5, 2, 12, 0.1));
        check(new DecoderShape(270, 16, 2, 4, 2, 8, 24, 64, 10_000, 1e-5, true, mixture));
    }

    private void check(DecoderShape shape) throws IOException {
        var tokenizerFile = folder.resolve("source.json");
        new BpeTrainer().add(TEXT).train(270, List.of("<|endoftext|>")).write(tokenizerFile);
        var config =
                new TrainingConfig(
                        3,
                        2,
                        12,
                        new LearningRate(0.01, 0.1, 2, 6),
                        TrainingConfig.Optimizer.standard(),
                        TrainingConfig.Precision.FLOAT32,
                        1,
                        3,
                        1,
                        5,
                        Optional.empty(),
                        1,
                        Optional.empty(),
                        Optional.empty());
        var documents = DocumentSource.ofTexts(() -> Stream.generate(() -> TEXT));
        var model = folder.resolve("model");
        int[] ids;
        try (var tokenizer = HfTokenizer.load(tokenizerFile)) {
            var run =
                    new TrainingPlan(
                            shape,
                            config,
                            new DocumentEncoder(new FileEncoder(tokenizer), Optional.empty()),
                            documents,
                            documents,
                            model,
                            TrainingPlan.Storage.FLOAT32,
                            Optional.of(tokenizerFile),
                            Map.of(),
                            Optional.empty());
            new Trainer(() -> 0).train(run, _ -> {}, () -> false).orElseThrow();
            ids = tokenizer.encode(TEXT, false);
        }
        var trained = trainedLogits(shape, model, ids);
        var loaded =
                LoadedDecoder.loadVector(
                        new Checkpoint(model),
                        Optional.of(Precision.F32),
                        RowPrecision.INT8,
                        Optional.empty(),
                        () -> 1L << 30);
        assertThat(loaded.parameters()).isEqualTo(Weight.parameters(shape.decoder()));
        assertThat(loaded.endOfSequence()).containsExactly(0);
        assertThat(loaded.tokenizer().encode(TEXT, false)).isEqualTo(ids);
        try (var network = loaded.network();
                var cache = network.newCache(ids.length);
                var result =
                        network.forward(
                                List.of(RowBlock.continuing(cache, ids)),
                                PassOutputs.allLogits())) {
            for (int row = 0; row < ids.length; row++) {
                var logits = result.logits(row).toArray(ValueLayout.JAVA_FLOAT);
                for (int token = 0; token < logits.length; token++) {
                    assertThat(logits[token])
                            .isCloseTo(trained[row * logits.length + token], within(1e-4f));
                }
            }
        }
    }

    /// Computed by the training program from the tensors of the file.
    private static float[] trainedLogits(DecoderShape shape, Path model, int[] ids) {
        var parameters = DecoderParameters.of(shape);
        TensorThread.enterInference();
        try (var tensors = new Checkpoint(model).openTensors();
                var manager = TensorRuntime.newManager();
                var script =
                        TorchScript.compile(
                                TrainingScripts.decoder(
                                        shape,
                                        TrainingConfig.Precision.FLOAT32,
                                        Optional.empty()))) {
            var joined =
                    parameters.list().stream()
                            .map(parameter -> joined(parameter, tensors))
                            .toList();
            var rope = RopeTable.of(shape.decoder(), shape.maxPositions());
            var angles = new Shape(shape.maxPositions(), 1, shape.headDimension());
            var tokens = new TokenRows(IntStream.of(ids).asLongStream().toArray(), 1);
            try (var input = TorchValue.of(tokens.array(manager));
                    var weights = TorchValue.ofArrays(parameters.arrays(manager, joined));
                    var cosines = TorchValue.of(manager.create(rope.headCosines(), angles));
                    var sines = TorchValue.of(manager.create(rope.headSignedSines(), angles));
                    var logits = script.callRecording("logits", input, weights, cosines, sines)) {
                return logits.toArray(manager).toFloatArray();
            }
        }
    }

    private static float[] joined(Parameter parameter, CheckpointTensors tensors) {
        var values = FloatBuffer.allocate(parameter.size());
        parameter.parts().forEach(part -> values.put(tensors.tensor(part.name()).toFloats()));
        return values.array();
    }

    private record FileEncoder(HfTokenizer tokenizer) implements TextEncoder {
        @Override
        public int[] encode(String text) {
            return tokenizer.encode(text, false);
        }

        @Override
        public int vocabularySize() {
            return tokenizer.vocabularySize();
        }

        @Override
        public int endOfText() {
            return 0;
        }
    }
}
