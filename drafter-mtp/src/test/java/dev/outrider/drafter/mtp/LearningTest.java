package dev.outrider.drafter.mtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.DraftBackend;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.target.NetworkTarget;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.LetterTokenizer;
import dev.outrider.training.DecoderShape;
import dev.outrider.training.Divergence;
import dev.outrider.training.DocumentEncoder;
import dev.outrider.training.DocumentSource;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.TextEncoder;
import dev.outrider.training.Trainer;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingConfig.LearningRate;
import dev.outrider.training.TrainingJob;
import dev.outrider.training.TrainingPlan;
import dev.outrider.training.TrainingResult;
import dev.outrider.training.head.HeadLearner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Modules learn a predictable text of a decoder that stays as it is; then the target accepts their guesses.
class LearningTest {
    private static final int END = 26;
    private static final int CONTEXT = 24;
    private static final int STEPS = 100;
    private static final DecoderShape SHAPE =
            new DecoderShape(27, 32, 2, 4, 2, 8, 48, 160, 10_000, 1e-5, true, Optional.empty());
    private static final List<String> SAID = List.of("alphabet", "lantern", "zigzagging");
    private static final DocumentSource WORDS =
            DocumentSource.ofTexts(() -> Stream.iterate(0, i -> i + 1).map(i -> SAID.get(i % 3)));

    @TempDir Path folder;

    @Test
    void aModuleTrainedOnAFrozenDecoderIsUsableForSeveralSteps() throws IOException {
        var target = folder.resolve("target");
        new Trainer(() -> 0).train(decoder(target), _ -> {}, () -> false).orElseThrow();
        long before = Files.getLastModifiedTime(target.resolve("model.safetensors")).toMillis();
        var out = folder.resolve("modules");

        var measures = modules(target, out, STEPS).measures();

        assertThat(measures.keySet())
                .containsExactly(
                        "overlap1",
                        "agreement1",
                        "overlap2",
                        "agreement2",
                        "overlap3",
                        "agreement3");
        assertThat(measures.values()).allMatch(share -> share > 0.8);
        assertThat(Files.getLastModifiedTime(target.resolve("model.safetensors")).toMillis())
                .isEqualTo(before);
        assertThat(acceptance(target, out, 4)).isGreaterThan(0.8);
        var untrained = folder.resolve("untrained");
        modules(target, untrained, 2);
        assertThat(acceptance(target, untrained, 4)).isLessThan(0.4);
    }

    @Test
    void rowsMustBeLongerThanTheSteps() {
        assertThatThrownBy(() -> new MtpModules(CONTEXT, CONTEXT, 1, true).requireRoom(CONTEXT))
                .hasMessage("contextTokens (24) must exceed the 24 steps of the modules");
    }

    /// Trains a module for three steps.
    private static TrainingResult modules(Path target, Path out, int steps) throws IOException {
        var training =
                new MtpTraining(
                        new FrozenTargetKeys(
                                out,
                                target,
                                Precision.F32,
                                "",
                                1,
                                Optional.empty(),
                                TrainingPlan.Storage.FLOAT32,
                                config(steps)),
                        new MtpModules(1, 3, 0.6, true),
                        0.9,
                        Divergence.FORWARD_KL);
        var job =
                new TrainingJob(
                        training.keys().training(),
                        new DocumentEncoder(new Letters(), Optional.empty()),
                        WORDS,
                        WORDS,
                        out,
                        Map.of());
        try (var learner = HeadLearner.of(training, job.training())) {
            return new Trainer(() -> 0).train(job, learner, _ -> {}, () -> false).orElseThrow();
        }
    }

    /// Returns accepted over drafted tokens of greedy chains within the context that was trained. Greedy output equals plain
    /// decoding for all guesses of the modules.
    private static double acceptance(Path target, Path modules, int length) {
        var config =
                new MtpConfig(
                        new HeadKeys(
                                modules,
                                Drafting.of(new TreePlan.Chain(length)),
                                Optional.of(Precision.F32)),
                        new BackendKey(DraftBackend.VECTOR),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        var rounds = new ArrayList<DecodeEvent.RoundCompleted>();
        try (var model = target(target);
                var drafter = MtpPlugin.MTP.create(config, () -> model)) {
            // Every row of the training text begins so.
            int[] text = new Letters().encode("alphabet{lantern{zigzag");
            for (int known : new int[] {2, 8, 11}) {
                var request =
                        DecodeRequest.of(
                                Arrays.copyOf(text, known),
                                CONTEXT - known - length,
                                SamplingPolicy.argmax());
                var randomness = RandomnessSource.of(new KeyedRandomStreams(1, 0));
                int[] tokens =
                        new Decoder(
                                        model,
                                        Optional.of(drafter),
                                        new GreedyRule(),
                                        FixedLength.drafterLimit(),
                                        true,
                                        () -> 0)
                                .decode(
                                        request,
                                        randomness,
                                        event -> {
                                            if (event instanceof DecodeEvent.RoundCompleted round) {
                                                rounds.add(round);
                                            }
                                        },
                                        () -> false)
                                .tokens();
                assertThat(tokens)
                        .isEqualTo(
                                Decoder.plain(model, new GreedyRule(), () -> 0)
                                        .decode(request, randomness)
                                        .tokens());
            }
        }
        double accepted = rounds.stream().mapToInt(round -> round.verdict().acceptedLength()).sum();
        return accepted / rounds.stream().mapToInt(round -> round.draft().tree().maxDepth()).sum();
    }

    private static TargetModel target(Path folder) {
        var directory = new Checkpoint(folder);
        var config = ModelConfig.read(directory).decoder();
        try (var tensors = directory.openTensors()) {
            return new NetworkTarget(
                    new TargetDescription(
                            "words",
                            "vector/f32",
                            config.vocabularySize(),
                            config.hiddenSize(),
                            config.layers(),
                            config.maxPositions(),
                            0,
                            Set.of(),
                            tensors.digest()),
                    new LetterTokenizer(config.vocabularySize()),
                    new VectorNetwork(
                            config, new CheckpointWeights(config, tensors), Precision.F32),
                    1,
                    () -> Long.MAX_VALUE);
        }
    }

    private static TrainingPlan decoder(Path folder) {
        return new TrainingPlan(
                SHAPE,
                config(STEPS),
                new DocumentEncoder(new Letters(), Optional.empty()),
                WORDS,
                WORDS,
                folder,
                TrainingPlan.Storage.FLOAT32,
                Optional.empty(),
                Map.of(),
                Optional.empty());
    }

    private static TrainingConfig config(int steps) {
        return new TrainingConfig(
                7,
                8,
                CONTEXT,
                new LearningRate(1e-2, 0.1, 1, steps),
                TrainingConfig.Optimizer.standard(),
                TrainingConfig.Precision.FLOAT32,
                1,
                60,
                2,
                1000,
                Optional.empty(),
                1,
                Optional.empty(),
                Optional.empty());
    }

    private static final class Letters implements TextEncoder {
        @Override
        public int[] encode(String text) {
            return text.chars().map(letter -> letter - 'a').toArray();
        }

        @Override
        public int vocabularySize() {
            return 27;
        }

        @Override
        public int endOfText() {
            return END;
        }
    }
}
