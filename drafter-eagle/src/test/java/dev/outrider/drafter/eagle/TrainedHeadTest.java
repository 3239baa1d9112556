package dev.outrider.drafter.eagle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import dev.outrider.drafter.eagle.LayoutOverrides.LayerOverrides;
import dev.outrider.drafter.eagle.PEagleTraining.PEaglePlan;
import dev.outrider.drafter.eagle.PEagleTraining.TrainedPEagle;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.VocabularyMaps;
import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.DraftBackend;
import dev.outrider.drafting.head.HeadKeys;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TensorThread;
import dev.outrider.torch.TorchScript;
import dev.outrider.torch.TorchValue;
import dev.outrider.training.Divergence;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingTimeTest;
import dev.outrider.training.TrainingTimeTest.DepthPlan;
import dev.outrider.training.head.HeadLearner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests heads that are trained on a small target that counts in steps of one, two or five. Training and drafting must pair
/// features and tokens in the same way: otherwise a head that has learned to count does not draft whole chains.
class TrainedHeadTest {
    private static CountingTarget counting = new CountingTarget(Path.of(""));

    @BeforeAll
    static void trainTheTarget(@TempDir Path folder) throws IOException {
        counting = new CountingTarget(folder);
        assertThat(counting.train(250).validationLoss()).isLessThan(0.6);
    }

    @Test
    void aHeadOfTheFirstGenerationLearnsToCount() throws IOException {
        var plan =
                new EaglePlan(
                        1, 1, 1, List.of(), EaglePlan.Form.PLAIN, 3, 0.8, Divergence.FORWARD_KL);
        var result = counting.train("eagle1", plan, 200);
        assertThat(result.measures().keySet())
                .containsExactly(
                        "regression", "crossEntropy", "agreement0", "agreement1", "agreement2");
        assertThat(result.measures().get("agreement0")).isGreaterThan(0.8);
        assertThat(result.measures().get("agreement2")).isGreaterThan(0.75);
        try (var target = counting.open()) {
            var config = Configs.eagle(counting.head("eagle1"), new TreePlan.Chain(3));
            try (var drafter = EaglePlugin.EAGLE.create(config, () -> target)) {
                assertThat(CountingTarget.acceptance(target, drafter)).isGreaterThan(0.8);
            }
            // With the two halves exchanged: the same file, but the guesses are random.
            var swapped =
                    new EagleConfig(
                            new HeadKeys(
                                    counting.head("eagle1"),
                                    Drafting.of(new TreePlan.Chain(3)),
                                    Optional.empty()),
                            new BackendKey(DraftBackend.VECTOR),
                            true);
            try (var drafter = EaglePlugin.EAGLE.create(swapped, () -> target)) {
                assertThat(CountingTarget.acceptance(target, drafter)).isLessThan(0.4);
            }
        }
    }

    @Test
    @Tag("nightly")
    void aHeadOfTheThirdGenerationLearnsToCountSeveralGuessesAhead() throws IOException {
        var plan =
                new EaglePlan(
                        3,
                        1,
                        1,
                        List.of(0, 2, 3),
                        EaglePlan.Form.PLAIN,
                        3,
                        0.8,
                        Divergence.FORWARD_KL);
        var result = counting.train("eagle3", plan, 300);
        assertThat(result.measures().keySet())
                .containsExactly("agreement0", "agreement1", "agreement2");
        assertThat(result.measures().values()).allMatch(agreement -> agreement > 0.75);
        try (var target = counting.open()) {
            var config = Configs.eagle3(counting.head("eagle3"), new TreePlan.Chain(3));
            try (var drafter = EaglePlugin.EAGLE_3.create(config, () -> target)) {
                assertThat(CountingTarget.acceptance(target, drafter)).isGreaterThan(0.8);
            }
        }
    }

    /// All guesses come from one pass, and the head drafts as it was trained.
    @Test
    void aParallelHeadLearnsToCountSeveralGuessesAheadInOnePass() throws IOException {
        var plan =
                new PEaglePlan(
                        2,
                        32,
                        List.of(0, 2, 3),
                        new DepthPlan(3, 0, 0.7, 0.3),
                        Divergence.FORWARD_KL);
        var settings =
                new PEagleTraining(
                        counting.keys("p-eagle", CountingTarget.config(0.01, 300)), plan);
        var result = CountingTarget.train(settings);
        assertThat(result.measures().keySet())
                .containsExactly(
                        "agreement1",
                        "agreement2",
                        "agreement3",
                        "acceptance1",
                        "acceptance2",
                        "acceptance3");
        assertThat(result.measures().get("agreement1")).isGreaterThan(0.75);
        assertThat(result.measures().get("agreement3")).isGreaterThan(0.7);
        var path = counting.head("p-eagle");
        try (var target = counting.open();
                var drafter =
                        (ParallelDrafter)
                                EaglePlugin.P_EAGLE.create(
                                        Configs.peagle(path, new TreePlan.Chain(3)),
                                        () -> target)) {
            assertThat(CountingTarget.acceptance(target, drafter)).isGreaterThan(0.75);
            assertDraftsWhatItPractised(settings, target, drafter);
        }
    }

    /// The drafter's distributions along a text are softmaxes of the logits that the program computes there.
    private static void assertDraftsWhatItPractised(
            PEagleTraining settings, TargetModel target, ParallelDrafter drafter) {
        int[] text = CountingTarget.tokens(4);
        var rows = new TokenRows(IntStream.of(text).asLongStream().toArray(), 1);
        var depths = settings.head().depths();
        var slots =
                TrainingTimeTest.draw(
                        rows, depths, TrainedPEagle.AHEAD, settings.keys().training().seed());
        TensorThread.enterInference();
        try (var learner =
                        HeadLearner.of(
                                settings,
                                (_, _) -> {
                                    throw new AssertionError("no rows are read");
                                });
                var manager = TensorRuntime.newManager();
                var tensors = new Checkpoint(settings.keys().out()).openTensors();
                var script = TorchScript.compile(learner.program())) {
            var trained = new ArrayList<NDArray>();
            for (var parameter : learner.parameters().list()) {
                var values = new float[parameter.size()];
                int at = 0;
                for (var part : parameter.parts()) {
                    float[] stored = tensors.tensor(part.name()).toFloats();
                    System.arraycopy(stored, 0, values, at, stored.length);
                    at += stored.length;
                }
                trained.add(manager.create(values, new Shape(parameter.shape())));
            }
            try (var p = TorchValue.ofArrays(trained);
                    var x = TorchValue.ofArrays(learner.inputs(rows, manager));
                    var c = TorchValue.ofArrays(learner.constants(manager));
                    var guesses = script.callRecording("guesses", p, x, c)) {
                var q = guesses.toArray(manager).softmax(-1).toFloatArray();
                int slot = 0;
                for (int depth = 0; depth < depths.depths(); depth++) {
                    for (int place : slots.places()[0][depth]) {
                        double[] drafted = drafted(target, drafter, text, place, depth);
                        for (int token = 0; token < CountingTarget.TOKENS; token++) {
                            assertThat(drafted[token])
                                    .as("place %d, depth %d", place, depth)
                                    .isCloseTo(
                                            q[slot * CountingTarget.TOKENS + token], within(1e-4));
                        }
                        slot++;
                    }
                }
                assertThat(slot).isEqualTo(slots.slots());
            }
        }
    }

    private static double[] drafted(
            TargetModel target, ParallelDrafter drafter, int[] text, int place, int depth) {
        int[] prompt = Arrays.copyOf(text, place + 2);
        try (var session = drafter.open(new DraftRequest(40, SamplingPolicy.atTemperature(1)));
                var sequence = target.open(new SessionRequest(40, drafter.hiddenStates()));
                var states = sequence.prefill(Arrays.copyOf(prompt, place + 1))) {
            session.begin(prompt, states);
            var draft =
                    session.propose(
                            drafter.traits().fullBudget(),
                            RandomnessSource.of(new KeyedRandomStreams(1, 1)).round(0));
            return ((Selection.Independent) draft.selection()).distributions().row(depth);
        }
    }

    /// Norms of every captured state; a guess is made from the normed state of the previous guess.
    @Test
    void aHeadOfEagle31LearnsToCountAndReadsWhatItPractised() throws IOException {
        var form = new EaglePlan.Form(true, true, 0);
        var result =
                counting.train(
                        "eagle31",
                        new EaglePlan(
                                3, 1, 1, List.of(0, 2, 3), form, 3, 0.8, Divergence.FORWARD_KL),
                        200);
        assertThat(result.measures().values()).allMatch(agreement -> agreement > 0.75);
        try (var target = counting.open()) {
            double own = counting.acceptance(target, "eagle31", LayoutOverrides.NONE);
            assertThat(own).isGreaterThan(0.75);
            // The same file, read as EAGLE-3's: the first guess is as good, the later guesses are
            // not. The difference depends on the training, whose last bits differ between
            // processors.
            var other = new LayoutOverrides(LayerOverrides.NONE, Optional.of(false));
            assertThat(counting.acceptance(target, "eagle31", other)).isLessThan(own - 0.1);
        }
        // Without the switch the drafter would not use the norms.
        var config = counting.head("eagle31").resolve("config.json");
        Files.writeString(
                config,
                Files.readString(config).replace("\"fc_norm\" : true", "\"fc_norm\" : false"));
        try (var target = counting.open()) {
            assertThatThrownBy(() -> counting.acceptance(target, "eagle31", LayoutOverrides.NONE))
                    .hasMessageContaining(
                            "holds tensor 'fc_norm.0.weight', which a head of the original layout does not have");
        }
    }

    /// Of 24 tokens, 23 occur; the texts that count in steps of one start at few places, so that some tokens occur more often.
    @Test
    @Tag("nightly")
    void aHeadForTheMostFrequentTokensLearnsThemAlone() throws IOException {
        int size = 12;
        var plan =
                new EaglePlan(
                        3,
                        1,
                        1,
                        List.of(0, 2, 3),
                        new EaglePlan.Form(false, false, size),
                        3,
                        0.8,
                        Divergence.FORWARD_KL);
        var result = counting.train("reduced", plan, 300);
        var frequent = mostFrequent(size, 300);
        // The target's best token is one of them in about half of the places; there the head finds
        // it.
        assertThat(result.measures().get("agreement0")).isBetween(0.35, 0.65);
        try (var tensors = new Checkpoint(counting.head("reduced")).openTensors()) {
            assertThat(tensors.tensor("lm_head.weight").shape()).containsExactly((long) size, 32L);
            var vocabulary = VocabularyMaps.read(tensors, size, CountingTarget.TOKENS);
            assertThat(IntStream.range(0, size).map(vocabulary::token))
                    .containsExactlyElementsOf(frequent);
        }
        try (var target = counting.open();
                var drafter =
                        EaglePlugin.EAGLE_3.create(
                                Configs.eagle3(counting.head("reduced"), new TreePlan.Chain(1)),
                                () -> target)) {
            var guesses = new ArrayList<Integer>();
            CountingTarget.acceptance(target, drafter, guesses::add);
            assertThat(guesses).isNotEmpty().isSubsetOf(frequent);
        }
    }

    /// Counts them again, over the rows that a run of so many steps reads.
    private static List<Integer> mostFrequent(int size, int steps) {
        var counts = new int[CountingTarget.TOKENS];
        for (int text = 0; text < steps * 8; text++) {
            for (int token : CountingTarget.tokens(text)) {
                counts[token]++;
            }
        }
        return IntStream.range(0, CountingTarget.TOKENS)
                .boxed()
                .sorted((a, b) -> counts[a] == counts[b] ? a - b : counts[b] - counts[a])
                .limit(size)
                .sorted()
                .toList();
    }
}
