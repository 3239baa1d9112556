package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.EncoderDecoderNetwork;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.target.LoadedDecoder;
import dev.outrider.nn.tokenizer.BpeTrainer;
import dev.outrider.nn.tokenizer.HfTokenizer;
import dev.outrider.spi.target.TargetDescription.SourceReading;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.training.EncoderDecoderLearner.EncoderDecoderInputs;
import dev.outrider.training.EncoderDecoderLearner.EncoderDecoderTeacher;
import dev.outrider.training.EncoderDecoderShape.EncoderDecoderParameters;
import dev.outrider.training.PairEncoder.TokenizerPairEncoder;
import dev.outrider.training.TrainingConfig.LearningRate;
import dev.outrider.training.data.Document;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Training writes a checkpoint of T5 that loads like any other.
class TrainedEncoderDecoderLoadsTest {
    private static final List<Document.Completion> PAIRS =
            List.of(
                    new Document.Completion(
                            "the miller had the lantern at the mill by the river", "lantern", true),
                    new Document.Completion(
                            "the mill", "the old mill by the river is at the lantern", true));

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFinishedModelGivesTheLogitsItWasTrainedTo(boolean tied) throws IOException {
        var tokenizerFile = folder.resolve("source.json");
        var words = new BpeTrainer();
        PAIRS.forEach(pair -> words.add(pair.prompt()));
        words.train(280, List.of("<pad>", "</s>")).endingWith("</s>").write(tokenizerFile);
        try (var tokenizer = HfTokenizer.load(tokenizerFile)) {
            var encoder = new TokenizerPairEncoder(tokenizer, "</s>", "<pad>");
            assertThat(encoder.source("the mill")).endsWith(1).hasSizeGreaterThan(1);
            var run = plan(tied, encoder, tokenizerFile);
            try (var learner = EncoderDecoderLearner.of(run)) {
                new Trainer(() -> 0).train(run.job(), learner, _ -> {}, () -> false);
            }
            compare(run, encoder);
        }
    }

    private void compare(EncoderDecoderPlan run, PairEncoder encoder) {
        var loaded =
                LoadedDecoder.loadVector(
                        new Checkpoint(run.folder()),
                        Optional.of(Precision.F32),
                        RowPrecision.INT8,
                        Optional.empty(),
                        () -> 1L << 30);
        assertThat(loaded.sources()).contains(new SourceReading(64, List.of(0)));
        assertThat(loaded.endOfSequence()).containsExactly(1);
        assertThat(loaded.parameters()).isEqualTo(parameters(run.shape()));
        assertThat(EncoderDecoderParameters.of(run.shape()).count())
                .isEqualTo(parameters(run.shape()));
        var trained = trainedLogits(run, batch(run, encoder));
        int at = 0;
        try (var network = (EncoderDecoderNetwork) loaded.network()) {
            for (var pair : PAIRS) {
                int[] answer = encoder.answer(pair.completion());
                int[] input =
                        IntStream.concat(IntStream.of(0), Arrays.stream(answer))
                                .limit(answer.length)
                                .toArray();
                try (var cache = network.newCache(input.length, encoder.source(pair.prompt()));
                        var result =
                                network.forward(
                                        List.of(RowBlock.continuing(cache, input)),
                                        PassOutputs.allLogits())) {
                    for (int row = 0; row < input.length; row++) {
                        for (float logit : result.logits(row).toArray(ValueLayout.JAVA_FLOAT)) {
                            assertThat(logit).isCloseTo(trained[at++], within(1e-4f));
                        }
                    }
                }
            }
        }
        assertThat(at).isEqualTo(trained.length);
    }

    /// Both pairs, of which one has the longer source and the other the longer answer.
    private static TokenRows batch(EncoderDecoderPlan run, PairEncoder encoder) {
        int width = run.sourceTokens() + run.config().contextTokens();
        var tokens = new long[PAIRS.size() * width];
        for (int row = 0; row < PAIRS.size(); row++) {
            int[] source = encoder.source(PAIRS.get(row).prompt());
            int[] answer = encoder.answer(PAIRS.get(row).completion());
            for (int i = 0; i < source.length; i++) {
                tokens[row * width + i] = source[i];
            }
            for (int i = 0; i < answer.length; i++) {
                tokens[row * width + run.sourceTokens() + i] = answer[i];
            }
        }
        return new TokenRows(tokens, PAIRS.size());
    }

    /// Computed by the training program from the tensors of the file.
    private static float[] trainedLogits(EncoderDecoderPlan run, TokenRows rows) {
        try (PtNDManager manager = TensorRuntime.newManager();
                var network = EncoderDecoderTeacher.load(run.folder(), run)) {
            var inputs =
                    new EncoderDecoderInputs(run.sourceTokens(), run.encoder().pad())
                            .of(rows, manager);
            return network.logits(inputs, manager).toFloatArray();
        }
    }

    private EncoderDecoderPlan plan(boolean tied, PairEncoder encoder, Path tokenizer) {
        var config =
                new TrainingConfig(
                        3,
                        2,
                        40,
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
        DocumentSource pairs = () -> Stream.generate(PAIRS::stream).flatMap(each -> each);
        return new EncoderDecoderPlan(
                new EncoderDecoderShape(280, 16, 2, 3, 2, 6, 24, 8, 12, 64, 1e-6, tied),
                40,
                config,
                encoder,
                pairs,
                pairs,
                folder.resolve("model"),
                TrainingPlan.Storage.FLOAT32,
                Optional.of(tokenizer),
                Map.of());
    }

    private static long parameters(EncoderDecoderShape shape) {
        return Weight.parameters(shape.encoder()) + Weight.parameters(shape.decoder());
    }
}
