package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.training.DecoderShape.DecoderParameters;
import dev.outrider.training.TrainingConfig.LearningRate;
import dev.outrider.training.TrainingProfile.Laps;
import dev.outrider.training.VisitedText.VerifiedText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A finished decoder that goes on from rounds: the steps are those of training off-line on the same rows, and can be repeated.
class RoundTrainingTest {
    private static final int VOCABULARY = 27;
    private static final double RATE = 1e-2;
    private static final DecoderShape SHAPE =
            new DecoderShape(
                    VOCABULARY, 16, 2, 4, 2, 4, 24, 32, 10_000, 1e-5, true, Optional.empty());

    @TempDir Path folder;

    private Path teacher = Path.of("");
    private Path student = Path.of("");

    @BeforeEach
    void trainBoth() throws IOException {
        teacher = trained("teacher", 8);
        student = trained("student", 1);
    }

    @Test
    void theLossIsTheMeanOverTheVisitedPrefixesAsTextsOfTheirOwn() throws IOException {
        for (var divergence : Divergence.values()) {
            var texts = texts(3);
            var plan =
                    startingFrom(
                            plan("off-line-" + divergence, 8, Optional.of(divergence)), student);
            try (var learner = DecoderLearner.of(plan);
                    var step = step(learner);
                    var rounds = training(divergence)) {
                double sum = 0;
                int visited = 0;
                for (var text : texts) {
                    for (var row : rows(text)) {
                        sum += step.step(List.of(row), 1, 0).loss();
                        visited++;
                    }
                }

                assertThat(rounds.step(judged(texts))).isCloseTo(sum / visited, within(1e-5));
            }
        }
    }

    /// But for numbers whose gradient is all rounding: the sign of a first step is its sign.
    @Test
    void itsStepsAreAdamWsOnTheVisitedPrefixes() throws IOException {
        var plan = startingFrom(plan("off-line", 8, Optional.of(Divergence.FORWARD_KL)), student);
        try (var learner = DecoderLearner.of(plan);
                var step = step(learner);
                var rounds = training(Divergence.FORWARD_KL)) {
            for (int count = 1; count <= 3; count++) {
                var texts = texts(count);
                var rows = texts.stream().flatMap(text -> rows(text).stream()).toList();
                step.step(rows, count, RATE);
                rounds.step(judged(texts));
            }
            var expected = learner.finished(step.weights(), 0).tensors();
            var found = tensors(written(rounds, "learned"));
            int all = 0;
            int different = 0;
            for (var tensor : expected) {
                float[] values = tensor.toFloats();
                var learned = Objects.requireNonNull(found.get(tensor.name()), tensor.name());
                for (int i = 0; i < values.length; i++) {
                    all++;
                    different += Math.abs(values[i] - learned.get(i)) > 1e-3 * RATE ? 1 : 0;
                }
            }
            assertThat(different).isLessThan(all / 100);
        }
    }

    @Test
    void theSameTextsLeadToTheSameParametersAfterARestartToo() throws IOException {
        try (var rounds = training(Divergence.FORWARD_KL);
                var again = training(Divergence.FORWARD_KL)) {
            assertThat(tensors(written(rounds, "begun"))).isEqualTo(tensors(student));
            rounds.step(judged(texts(6)));
            rounds.step(judged(texts(2)));
            var learned = tensors(written(rounds, "learned"));
            assertThat(learned).isNotEqualTo(tensors(student));

            again.step(judged(texts(1)));
            again.restart();
            assertThat(tensors(written(again, "restarted"))).isEqualTo(tensors(student));
            again.step(judged(texts(6)));
            again.step(judged(texts(2)));
            assertThat(tensors(written(again, "again"))).isEqualTo(learned);
        }
    }

    @Test
    void aTextIsCutWithItsLabels() {
        var text = judged(texts(1)).getFirst();
        var part = text.first(7);
        assertThat(part.text().size()).isEqualTo(7);
        assertThat(part.logits())
                .isEqualTo(text.logits().subList(0, part.text().visited().cardinality()));
        assertThatThrownBy(() -> new VerifiedText(text.text(), List.of()))
                .hasMessageEndingWith(
                        "rows of logits for %d visited nodes".formatted(text.logits().size()));
    }

    @Test
    void learningLowersTheLossOfTheSameTexts() {
        try (var rounds = training(Divergence.FORWARD_KL)) {
            var texts = judged(texts(4));
            double before = rounds.step(texts);
            for (int step = 0; step < 20; step++) {
                rounds.step(texts);
            }
            assertThat(rounds.step(texts)).isLessThan(before - 0.1);
        }
    }

    @Test
    void whatHasAnotherLayoutIsRefused() throws IOException {
        var config = student.resolve("config.json");
        Files.writeString(
                config,
                Files.readString(config)
                        .replace("\"attention_bias\" : false", "\"attention_bias\" : true"));
        assertThatThrownBy(() -> training(Divergence.FORWARD_KL))
                .hasMessage(
                        """
                        CHECKPOINT_UNSUPPORTED: %s cannot go on learning: it is no dense decoder in Llama's layout with floating-point weights
                          Leave 'learn' out, or use a draft such as 'outrider train lm' writes.\
                        """
                                .formatted(student));
    }

    @Test
    void aRateThatIsNoneIsRefused() {
        assertThatThrownBy(() -> new RoundTraining.Settings(0, Divergence.FORWARD_KL))
                .hasMessage("rate is 0.0; expected more than 0 and at most 1");
    }

    private static TrainingStep<TokenRows> step(Learner learner) {
        return new TrainingStep<>(
                TrainingStep.Task.of(learner),
                new TrainingConfig.Optimizer(0.9, 0.95, 0, 1),
                AdamW.State.initial(learner.parameters(), 0),
                new Laps(() -> 0));
    }

    /// The prefixes of a text that are visited. Text learns the last place of each too: as a row with one more token.
    private static List<TokenRows> rows(VisitedText text) {
        return text.visited().stream()
                .mapToObj(node -> {
                    long[] prefix = prefix(text.tree(), node);
                    var learned = new boolean[prefix.length + 1];
                    learned[prefix.length] = true;
                    return new TokenRows(Arrays.copyOf(prefix, prefix.length + 1), learned, 1);
                })
                .toList();
    }

    private RoundTraining training(Divergence divergence) {
        return new RoundTraining(student, new RoundTraining.Settings(RATE, divergence));
    }

    /// Random trees with the teacher's logits where they are visited.
    private List<VerifiedText> judged(List<VisitedText> texts) {
        try (var target = FrozenTarget.load(teacher, Precision.F32);
                var manager = TensorRuntime.newManager()) {
            return texts.stream()
                    .map(text ->
                            new VerifiedText(
                                    text,
                                    text.visited().stream()
                                            .mapToObj(node ->
                                                    logits(
                                                            target,
                                                            prefix(text.tree(), node),
                                                            manager))
                                            .toList()))
                    .toList();
        }
    }

    /// The target's logits after a prefix.
    private static float[] logits(FrozenTarget target, long[] prefix, PtNDManager manager) {
        return target.forward(new TokenRows(prefix, 1), Set.of(), true, manager)
                .logits()
                .orElseThrow()
                .get(prefix.length - 1)
                .toFloatArray();
    }

    private static long[] prefix(TokenTree tree, int node) {
        return IntStream.of(tree.path(node)).mapToLong(tree::token).toArray();
    }

    private static List<VisitedText> texts(int count) {
        var random = new SplittableRandom(count);
        return IntStream.range(0, count)
                .mapToObj(_ -> {
                    var tree = TokenTree.builder(random.nextInt(VOCABULARY));
                    var visited = new BitSet();
                    for (int node = 1; node < 9 + random.nextInt(8); node++) {
                        int parent = Math.max(0, node - 1 - random.nextInt(3));
                        tree.add(parent, random.nextInt(VOCABULARY));
                        visited.set(parent);
                    }
                    return new VisitedText(tree.build(), visited);
                })
                .toList();
    }

    private Path written(RoundTraining rounds, String name) throws IOException {
        var to = Files.createDirectory(folder.resolve(name));
        rounds.write(to);
        assertThat(to.resolve("config.json"))
                .hasSameTextualContentAs(student.resolve("config.json"));
        return to;
    }

    private static Map<String, List<Float>> tensors(Path model) {
        try (var tensors = new Checkpoint(model).openTensors()) {
            return DecoderParameters.of(SHAPE).list().stream()
                    .flatMap(each -> each.parts().stream())
                    .collect(
                            Collectors.toMap(
                                    Parameter.Part::name,
                                    part -> boxed(tensors.tensor(part.name()).toFloats())));
        }
    }

    private static List<Float> boxed(float[] values) {
        return IntStream.range(0, values.length).mapToObj(i -> values[i]).toList();
    }

    private Path trained(String name, int steps) throws IOException {
        var plan = plan(name, steps, Optional.empty());
        new Trainer(() -> 0, _ -> Optional.empty()).train(plan, _ -> {}, () -> false).orElseThrow();
        Files.writeString(plan.folder().resolve("tokenizer.json"), "{}");
        return plan.folder();
    }

    private TrainingPlan plan(String name, int steps, Optional<Divergence> divergence) {
        var taught = divergence.map(each -> new TrainingConfig.Distillation(teacher, 1, each));
        var words =
                DocumentSource.ofTexts(() ->
                        Stream.iterate(0, i -> i + 1)
                                .map(i -> List.of("alphabet", "lantern", "zigzagging").get(i % 3)));
        return new TrainingPlan(
                SHAPE,
                Optional.empty(),
                new TrainingConfig(
                        name.hashCode(),
                        2,
                        16,
                        new LearningRate(5e-2, 0.5, 0, steps),
                        TrainingConfig.Optimizer.standard(),
                        TrainingConfig.Precision.FLOAT32,
                        1,
                        4,
                        2,
                        4,
                        taught,
                        1,
                        Optional.empty(),
                        Optional.empty()),
                new DocumentEncoder(new LetterEncoder(), Optional.empty()),
                words,
                words,
                folder.resolve(name),
                TrainingPlan.Storage.FLOAT32,
                Optional.empty(),
                Map.of(),
                Optional.empty());
    }

    static TrainingPlan startingFrom(TrainingPlan plan, Path checkpoint) {
        return new TrainingPlan(
                plan.shape(),
                plan.companion(),
                plan.config(),
                plan.encoder(),
                plan.training(),
                plan.validation(),
                plan.folder(),
                plan.storage(),
                plan.tokenizer(),
                plan.provenance(),
                Optional.of(checkpoint));
    }
}
