package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.training.TrainingConfig.LearningRate;
import dev.outrider.training.TrainingConfig.OnPolicy;
import dev.outrider.training.TrainingProfile.Laps;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Rows of the drafter's own: what is learned of them, which rows they are, and that a run with them can be repeated.
class OnPolicyTest {
    private static final DecoderShape SHAPE =
            new DecoderShape(27, 16, 2, 4, 2, 4, 24, 32, 10_000, 1e-5, true);
    private static final DocumentSource WORDS =
            DocumentSource.ofTexts(() ->
                    Stream.iterate(0, i -> i + 1)
                            .map(i -> List.of("alphabet", "lantern", "zigzagging").get(i % 3)));
    private static final Laps LAPS = new Laps(() -> 0);

    @TempDir Path folder;

    private Path teacher = Path.of("");

    @BeforeEach
    void trainTeacher() throws IOException {
        teacher = folder.resolve("teacher");
        train(plan("teacher", config(Optional.empty(), Optional.empty())), Optional.empty());
    }

    @Test
    void labelsAreTheTargetsLogitsAfterEachPrefixAlone() {
        var directory = new Checkpoint(teacher);
        var config = ModelConfig.read(directory).decoder();
        var random = new SplittableRandom(7);
        var texts = List.of(text(random, 14), text(random, 9));
        try (var target = FrozenTarget.load(teacher, Precision.F32);
                var manager = TensorRuntime.newManager();
                var tensors = directory.openTensors();
                var alone =
                        new VectorNetwork(
                                config, new CheckpointWeights(config, tensors), Precision.F32)) {
            var logits = target.logits(texts, manager);
            int at = 0;
            for (var text : texts) {
                for (int node = 0; node < text.size(); node++) {
                    int[] prefix = prefix(text.tree(), node);
                    try (var cache = alone.newCache(prefix.length);
                            var pass =
                                    alone.forward(
                                            List.of(RowBlock.continuing(cache, prefix)),
                                            PassOutputs.allLogits())) {
                        assertThat(logits.get(at++).toFloatArray())
                                .containsExactly(
                                        pass.logits(prefix.length - 1)
                                                .toArray(ValueLayout.JAVA_FLOAT),
                                        within(1e-4f));
                    }
                }
            }
        }
    }

    @Test
    void theLossOfATextWithGuessesIsTheMeanOverItsVisitedPrefixesAlone() {
        var random = new SplittableRandom(11);
        var config = taught(1, new OnPolicy(1, Path.of("x"), OnPolicy.Writer.ROUNDS, 4, 1));
        var texts = List.of(text(random, 9), text(random, 6), text(random, 13));
        var rows =
                new VisitedRows(
                        List.of(List.of(texts.get(0), texts.get(1)), List.of(texts.get(2))), 16);
        double together = loss(config, rows);
        double sum = 0;
        for (var text : texts) {
            for (int node : text.visited().stream().toArray()) {
                int[] prefix = prefix(text.tree(), node);
                // The text's own loss learns the last place too: as a row of text with one more
                // token.
                var tokens =
                        Arrays.copyOf(
                                Arrays.stream(prefix).asLongStream().toArray(), prefix.length + 1);
                var learned = new boolean[tokens.length];
                learned[prefix.length] = true;
                sum += loss(config, new TokenRows(tokens, learned, 1));
            }
        }
        assertThat(together).isCloseTo(sum / rows.learned(), within(1e-5));
    }

    @Test
    void aShareOfNothingIsTrainingOnText() throws IOException {
        var none = new Chance();
        train(plan("plain", taught(0.9, Optional.empty())), Optional.of(none));
        train(plan("zero", taught(0.9, own(0))), Optional.of(none));
        assertThat(none.calls).isZero();
        assertThat(folder.resolve("zero/model.safetensors"))
                .hasSameBinaryContentAs(folder.resolve("plain/model.safetensors"));

        train(plan("half", taught(0.9, own(0.5))), Optional.of(new Chance()));
        assertThat(Files.readAllBytes(folder.resolve("half/model.safetensors")))
                .isNotEqualTo(Files.readAllBytes(folder.resolve("plain/model.safetensors")));
    }

    @Test
    void theShareIsOfAllRowsAndPromptsBeginDocuments() throws IOException {
        var chance = new Chance();
        train(plan("run", taught(1, own(0.375))), Optional.of(chance));
        // Two rows a step, eight steps: 6 of 16 rows, in some steps none.
        assertThat(chance.rows).isEqualTo(6);
        assertThat(chance.prompts)
                .allMatch(prompt ->
                        Stream.of("alph", "lant", "zigz").anyMatch(prompt::startsWith)
                                || "alphabet lantern zigzagging".contains(prompt));
    }

    @Test
    void aKilledAndResumedRunEndsWithTheSameModel() throws IOException {
        var config = taught(0.9, own(0.5));
        train(plan("whole", config), Optional.of(new Chance()));
        var killed = plan("killed", config);
        assertThatThrownBy(() ->
                        trainer(Optional.of(new Chance()))
                                .train(
                                        killed,
                                        step -> {
                                            if (step.step() == 6) {
                                                throw new IllegalStateException("killed");
                                            }
                                        }, () -> false).orElseThrow())
                .hasMessage("killed");
        assertThat(folder.resolve("killed/checkpoint.safetensors")).exists();
        train(killed, Optional.of(new Chance()));
        for (var file : new String[] {"model.safetensors", "config.json"}) {
            assertThat(folder.resolve("killed").resolve(file))
                    .hasSameBinaryContentAs(folder.resolve("whole").resolve(file));
        }
    }

    @Test
    void aRunMayBeginWithACheckpoint() throws IOException {
        var plan = RoundTrainingTest.startingFrom(plan("further", taught(0.9, Optional.empty())), teacher);
        try (var learner = DecoderLearner.of(plan);
                var tensors = new Checkpoint(teacher).openTensors()) {
            assertThat(
                            learner.parameters()
                                    .stored(
                                            learner.parameters().initial(1),
                                            TrainingPlan.Storage.FLOAT32))
                    .allSatisfy(each ->
                            assertThat(each.toFloats())
                                    .isEqualTo(tensors.tensor(each.name()).toFloats()));
            assertThat(learner.facts()).containsEntry("start", tensors.digest());
        }
    }

    @Test
    void whatCannotLearnSoIsRefused() {
        assertThatThrownBy(() ->
                        train(
                                plan("run", config(Optional.empty(), own(0.5))),
                                Optional.of(new Chance())))
                .hasMessage(
                        """
                        CONFIG_INVALID: 'training.onPolicy' is for small draft models with a teacher; what is trained here cannot learn so
                          Leave it out, or use 'train lm' with 'training.distillation' and without experts.\
                        """);
        assertThatThrownBy(() -> train(plan("run", taught(1, own(0.5))), Optional.empty()))
                .hasMessage(
                        """
                        CONFIG_INVALID: 'training.onPolicy' is set, but this program runs no rounds while it trains
                          Leave it out, or train with 'outrider train'.\
                        """);
        var other = new Chance();
        other.judge = Optional.of("0123");
        assertThatThrownBy(() -> train(plan("run", taught(1, own(0.5))), Optional.of(other)))
                .hasMessage(
                        """
                        CONFIG_INVALID: the target of 'rounds.yaml' is another model than 'training.distillation.teacher'
                          Name the same checkpoint in both: what judges the drafts is what they learn from.\
                        """);
        assertThat(other.closed).isTrue();
        assertThat(folder.resolve("run")).doesNotExist();
    }

    /// A drafter that draws at random, but otherwise for other parameters and other requests.
    private static final class Chance implements OnPolicyTexts {
        private Optional<String> judge = Optional.empty();
        private final Set<Long> numbers = new HashSet<>();
        private final List<String> prompts = new ArrayList<>();
        private int calls;
        private int rows;
        private boolean closed;

        @Override
        public String facts() {
            return "chance";
        }

        @Override
        public Optional<String> judge() {
            return judge;
        }

        @Override
        public List<VisitedText> write(Path drafter, List<Request> requests) throws IOException {
            long seen = Arrays.hashCode(Files.readAllBytes(drafter.resolve("model.safetensors")));
            calls++;
            return requests.stream()
                    .map(request -> {
                        assertThat(numbers.add(request.number())).isTrue();
                        rows += request.number() % 4096 == 0 ? 1 : 0;
                        prompts.add(
                                Arrays.stream(request.prompt())
                                        .mapToObj(each ->
                                                each == 0 ? " " : "" + (char) ('a' + each - 1))
                                        .collect(Collectors.joining()));
                        return text(
                                new SplittableRandom(seen ^ request.number()),
                                request.tokens(),
                                request.prompt());
                    })
                    .toList();
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /// A random tree of so many nodes below some tokens, of which random ones are visited.
    private static VisitedText text(SplittableRandom random, int nodes, int... prompt) {
        var begun = prompt.length > 0 ? prompt : new int[] {random.nextInt(27)};
        var tree = TokenTree.builder(begun[0]);
        var visited = new BitSet();
        for (int node = 1; node < nodes; node++) {
            if (node < begun.length) {
                tree.add(node - 1, begun[node]);
            } else {
                int parent = Math.max(begun.length - 1, node - 1 - random.nextInt(3));
                tree.add(parent, random.nextInt(27));
                visited.set(parent);
            }
        }
        return new VisitedText(tree.build(), visited);
    }

    private static int[] prefix(TokenTree tree, int node) {
        return IntStream.of(tree.path(node)).map(tree::token).toArray();
    }

    private double loss(TrainingConfig config, Batch batch) {
        try (var learner = DecoderLearner.of(plan("loss", config));
                var step =
                        new TrainingStep(
                                learner,
                                config.optimizer(),
                                AdamW.State.initial(learner.parameters(), 3),
                                LAPS)) {
            return step.step(List.of(batch), 1, 0).loss();
        }
    }

    private Trainer trainer(Optional<OnPolicyTexts> texts) {
        return new Trainer(() -> 0, name -> Optional.empty(), settings -> texts);
    }

    private void train(TrainingPlan plan, Optional<Chance> texts) throws IOException {
        trainer(texts.map(each -> each)).train(plan, TrainingProgress.silent(), () -> false).orElseThrow();
    }

    private static Optional<OnPolicy> own(double share) {
        return Optional.of(
                new OnPolicy(share, Path.of("rounds.yaml"), OnPolicy.Writer.ROUNDS, 4, 1));
    }

    private TrainingConfig taught(double weight, OnPolicy own) {
        return taught(weight, Optional.of(own));
    }

    private TrainingConfig taught(double weight, Optional<OnPolicy> own) {
        return config(
                Optional.of(
                        new TrainingConfig.Distillation(teacher, weight, Divergence.FORWARD_KL)),
                own);
    }

    private static TrainingConfig config(
            Optional<TrainingConfig.Distillation> teacher, Optional<OnPolicy> own) {
        return new TrainingConfig(
                5,
                2,
                16,
                new LearningRate(5e-2, 0.5, 3, 8),
                TrainingConfig.Optimizer.standard(),
                TrainingConfig.Precision.FLOAT32,
                1,
                4,
                2,
                4,
                teacher,
                1,
                Optional.empty(),
                own,
                Optional.empty());
    }

    private TrainingPlan plan(String name, TrainingConfig config) {
        return new TrainingPlan(
                SHAPE,
                config,
                new LetterEncoder(),
                WORDS,
                WORDS,
                folder.resolve(name),
                TrainingPlan.Storage.FLOAT32,
                Optional.empty(),
                Map.of());
    }
}
