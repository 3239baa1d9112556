package dev.outrider.drafter.eagle;

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
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.LetterTokenizer;
import dev.outrider.training.DecoderShape;
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
import dev.outrider.training.head.HeadTraining;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A small target that counts in steps of one, two or five, and heads that are trained on it.
///
/// @param folder of the target and of the heads
record CountingTarget(Path folder) {
    static final int TOKENS = 24;
    static final int CONTEXT = 16;

    private static final int LAYERS = 3;
    private static final String TARGET = "target";

    /// Trains the target.
    TrainingResult train(int steps) throws IOException {
        var shape =
                new DecoderShape(
                        TOKENS, 32, LAYERS, 2, 1, 16, 48, 64, 10000, 1e-5, true, Optional.empty());
        var run =
                new TrainingPlan(
                        shape,
                        config(0.02, steps),
                        new DocumentEncoder(new Counting(), Optional.empty()),
                        texts(0),
                        texts(7),
                        folder.resolve(TARGET),
                        TrainingPlan.Storage.FLOAT32,
                        Optional.empty(),
                        Map.of(),
                        Optional.empty());
        return new Trainer(() -> 0).train(run, _ -> {}, () -> false).orElseThrow();
    }

    /// Returns the folder of a head.
    Path head(String name) {
        return folder.resolve(name);
    }

    FrozenTargetKeys keys(String name, TrainingConfig training) {
        return new FrozenTargetKeys(
                head(name),
                folder.resolve(TARGET),
                Precision.F32,
                "end",
                1,
                Optional.empty(),
                TrainingPlan.Storage.FLOAT32,
                training);
    }

    /// Trains a head.
    TrainingResult train(String name, EaglePlan plan, int steps) throws IOException {
        var config = config(0.01, steps);
        var settings = new EagleTraining(keys(name, config), plan);
        return train(settings);
    }

    static TrainingResult train(HeadTraining settings) throws IOException {
        var job =
                new TrainingJob(
                        settings.keys().training(),
                        new DocumentEncoder(new Counting(), Optional.empty()),
                        texts(0),
                        texts(7),
                        settings.keys().out(),
                        Map.of());
        try (var learner = HeadLearner.of(settings, job.training())) {
            return new Trainer(() -> 0).train(job, learner, _ -> {}, () -> false).orElseThrow();
        }
    }

    /// Returns the share of accepted guesses, greedy, from prompts that show how the text counts.
    static double acceptance(TargetModel target, Drafter drafter) {
        return acceptance(target, drafter, token -> {});
    }

    /// The same for a head of EAGLE-3.
    double acceptance(TargetModel target, String head, LayoutOverrides overrides) {
        var config =
                new Eagle3Config(
                        new HeadKeys(
                                head(head), Drafting.of(new TreePlan.Chain(3)), Optional.empty()),
                        new BackendKey(DraftBackend.VECTOR),
                        overrides);
        try (var drafter = EaglePlugin.EAGLE_3.create(config, () -> target)) {
            return acceptance(target, drafter);
        }
    }

    /// The same with a listener.
    ///
    /// @param guesses receives every drafted token
    static double acceptance(TargetModel target, Drafter drafter, IntConsumer guesses) {
        var counts = new int[2];
        for (int text = 0; text < 9; text++) {
            int[] prompt = Arrays.copyOf(tokens(text), 5);
            new Decoder(
                            target,
                            Optional.of(drafter),
                            new GreedyRule(),
                            FixedLength.drafterLimit(),
                            true,
                            () -> 0)
                    .decode(
                            DecodeRequest.of(prompt, 9, SamplingPolicy.argmax()),
                            RandomnessSource.of(new KeyedRandomStreams(1, text)),
                            event -> {
                                if (event instanceof DecodeEvent.RoundCompleted round) {
                                    var tree = round.draft().tree();
                                    counts[0] += round.verdict().acceptedLength();
                                    counts[1] += tree.draftedNodes();
                                    IntStream.range(1, tree.size())
                                            .map(tree::token)
                                            .forEach(guesses);
                                }
                            },
                            () -> false);
        }
        return (double) counts[0] / counts[1];
    }

    TargetModel open() {
        var directory = new Checkpoint(folder.resolve(TARGET));
        var config = ModelConfig.read(directory).decoder();
        try (var tensors = directory.openTensors()) {
            return new NetworkTarget(
                    new TargetDescription(
                            "counting", "vector/f32", TOKENS, 32, LAYERS, 64, 0, Set.of(), "00"),
                    new LetterTokenizer(TOKENS),
                    new VectorNetwork(
                            config, new CheckpointWeights(config, tensors), Precision.F32),
                    1,
                    () -> Long.MAX_VALUE);
        }
    }

    static TrainingConfig config(double rate, int steps) {
        return new TrainingConfig(
                2,
                8,
                CONTEXT,
                new LearningRate(rate, 0.1, 10, steps),
                TrainingConfig.Optimizer.standard(),
                TrainingConfig.Precision.FLOAT32,
                1,
                1000,
                4,
                1000,
                Optional.empty(),
                1,
                Optional.empty(),
                Optional.empty());
    }

    /// Returns the tokens of a text.
    static int[] tokens(int text) {
        return Counting.tokens(text);
    }

    private static DocumentSource texts(int first) {
        return DocumentSource.ofTexts(
                () -> Stream.iterate(first, text -> text + 1).map(String::valueOf));
    }

    /// A text is given by its number; its tokens count from that number in steps that depend on it.
    private record Counting() implements TextEncoder {
        private static final int[] STEPS = {1, 2, 5};

        static int[] tokens(int text) {
            var tokens = new int[CONTEXT + 1];
            for (int i = 0; i < tokens.length; i++) {
                tokens[i] = 1 + (text * 7 + i * STEPS[text % 3]) % (TOKENS - 1);
            }
            return tokens;
        }

        @Override
        public int[] encode(String text) {
            return tokens(Integer.parseInt(text));
        }

        @Override
        public int vocabularySize() {
            return TOKENS;
        }

        @Override
        public int endOfText() {
            return 0;
        }
    }
}
