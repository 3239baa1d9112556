package dev.outrider.drafter.smallmodel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafter.smallmodel.SmallModelConfig.LearnConfig;
import dev.outrider.drafter.smallmodel.SmallModelConfig.VocabularyMode;
import dev.outrider.drafting.Drafting;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Drafter.Learning;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ExactDistribution;
import dev.outrider.testkit.LetterTokenizer;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import dev.outrider.testkit.WrappedDrafter;
import dev.outrider.training.Divergence;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A draft that learns: what it writes is the target's whatever it learned, sessions keep what they began with, and a run can be
/// repeated.
class LearningDrafterTest {
    private static final int VOCABULARY = 2;
    private static final int[] PROMPT = {1, 0};
    private static final SamplingPolicy POLICY = new SamplingPolicy(1, 0, 1, 0, 1);
    private static final String CONFIG =
            """
            {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": 2, "hidden_size": 8,
             "intermediate_size": 12, "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 1,
             "head_dim": 4, "max_position_embeddings": 64, "rms_norm_eps": 1e-5, "hidden_act": "silu",
             "tie_word_embeddings": true, "attention_bias": false, "mlp_bias": false, "rope_theta": 10000.0,
             "bos_token_id": 0, "eos_token_id": 0, "torch_dtype": "float32"}
            """;

    @TempDir Path folder;

    private final TableModel target = TableModel.random(VOCABULARY, DistributionStyle.DENSE, 3);
    private final AtomicInteger open = new AtomicInteger();

    @BeforeEach
    void write() throws IOException {
        Files.writeString(folder.resolve("config.json"), CONFIG);
        Files.writeString(folder.resolve("tokenizer.json"), "{}");
        var random = new SplittableRandom(9);
        var tensors = new ArrayList<StoredTensor>();
        tensors.add(tensor("model.embed_tokens.weight", random, VOCABULARY, 8));
        var layer = "model.layers.0.";
        tensors.add(tensor(layer + "input_layernorm.weight", random, 8));
        tensors.add(tensor(layer + "self_attn.q_proj.weight", random, 8, 8));
        tensors.add(tensor(layer + "self_attn.k_proj.weight", random, 4, 8));
        tensors.add(tensor(layer + "self_attn.v_proj.weight", random, 4, 8));
        tensors.add(tensor(layer + "self_attn.o_proj.weight", random, 8, 8));
        tensors.add(tensor(layer + "post_attention_layernorm.weight", random, 8));
        tensors.add(tensor(layer + "mlp.gate_proj.weight", random, 12, 8));
        tensors.add(tensor(layer + "mlp.up_proj.weight", random, 12, 8));
        tensors.add(tensor(layer + "mlp.down_proj.weight", random, 8, 12));
        tensors.add(tensor("model.norm.weight", random, 8));
        SafetensorsWriter.write(
                folder.resolve("model.safetensors"), tensors, Map.of("format", "pt"));
    }

    /// Two sequences with a step between them, over every random outcome of both: whatever the first one taught the draft, the second
    /// follows the target's distribution, and so do both together.
    @Test
    void theLawOfTwoSequencesIsTheTargetsWithAStepBetweenThem() {
        try (var drafter = drafter(0.1)) {
            var law =
                    law(drafter, drafter, () -> assertThat(learning(drafter).learn()).isEqualTo(1));
            assertThat(error(law)).isLessThan(ExactDistribution.TOLERANCE);
        }
        assertThat(open).hasValue(0);
    }

    /// The control: parameters that change between drawing and judging are found out.
    @Test
    void aStepBetweenDrawingAndJudgingIsNotExact() {
        try (var drafter = drafter(0.1)) {
            var second = new WrappedDrafter(drafter, session -> new Restless(drafter, session));
            var law =
                    ExactDistribution.enumerated(randomness -> {
                        learning(drafter).restart();
                        decode(drafter, 1);
                        return List.of(List.<Integer>of(), decode(second, randomness, 2));
                    });
            assertThat(error(law)).isGreaterThan(1e-3);
        }
    }

    /// Learns after it drew, and says with what probability it would draw now.
    private static final class Restless extends WrappedDrafter.Session {
        private final Drafter drafter;
        private int[] prompt = {};

        Restless(Drafter drafter, DraftSession session) {
            super(session);
            this.drafter = drafter;
        }

        @Override
        public void begin(int[] tokens, HiddenStates promptStates) {
            prompt = tokens;
            super.begin(tokens, promptStates);
        }

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            var drawn = super.propose(DraftBudget.chain(1), randomness);
            learning(drafter).learn();
            try (var now = drafter.open(new DraftRequest(32, POLICY))) {
                now.begin(prompt, SessionDriver.NO_STATES);
                return new Draft(
                        drawn.tree(), now.propose(DraftBudget.chain(1), randomness).selection());
            }
        }
    }

    @Test
    void aSessionDraftsToItsEndWithWhatItBeganWith() {
        try (var drafter = drafter(0.1);
                var still = drafter(0.1)) {
            decode(drafter, 1);
            try (var session = opened(drafter);
                    var expected = opened(still)) {
                assertThat(learning(drafter).learn()).isEqualTo(1);
                assertThat(open).hasValue(3);
                assertThat(proposed(session)).isEqualTo(proposed(expected));
                try (var later = opened(drafter)) {
                    assertThat(proposed(later)).isNotEqualTo(proposed(expected));
                }
            }
            assertThat(open).as("nothing drafts with the first parameters any more").hasValue(2);
        }
        assertThat(open).hasValue(0);
    }

    @Test
    void theSameSequencesLeadToTheSameDraftsAndARestartBeginsAgain() {
        try (var drafter = drafter(0.05);
                var again = drafter(0.05);
                var fresh = drafter(0.05)) {
            for (int number = 0; number < 4; number++) {
                decode(drafter, number);
                decode(again, number);
                assertThat(learning(drafter).learn()).isEqualTo(1);
                assertThat(learning(again).learn()).isEqualTo(1);
            }
            var learned = proposed(drafter);
            assertThat(proposed(again)).isEqualTo(learned);
            assertThat(learned).isNotEqualTo(proposed(fresh));

            decode(again, 9);
            learning(again).restart();
            assertThat(learning(again).learn()).as("what it saw before is forgotten").isZero();
            assertThat(proposed(again)).isEqualTo(proposed(fresh));
            for (int number = 0; number < 4; number++) {
                decode(again, number);
                learning(again).learn();
            }
            assertThat(proposed(again)).isEqualTo(learned);
        }
    }

    /// Of sequences decoded together the one that began first counts first, whichever ends first.
    @Test
    void theOrderIsThatInWhichSequencesBegan() {
        try (var one = drafter(0.05);
                var other = drafter(0.05)) {
            var first = List.of(opened(one), opened(other));
            var second = List.of(opened(one), opened(other));
            first.forEach(session -> judged(session, 1, 2));
            second.forEach(session -> judged(session, 3, 1));
            first.get(0).close();
            second.get(0).close();
            second.get(1).close();
            first.get(1).close();
            assertThat(learning(one).learn()).isEqualTo(2);
            assertThat(learning(other).learn()).isEqualTo(2);
            assertThat(proposed(one)).isEqualTo(proposed(other));
        }
    }

    @Test
    void itWaitsForAsManySequencesAsItIsTold() {
        try (var drafter = drafter(new LearnConfig(0.1, 3, 2, 512, Divergence.TOTAL_VARIATION))) {
            var before = proposed(drafter);
            for (int number = 0; number < 2; number++) {
                decode(drafter, number);
                assertThat(learning(drafter).learn()).isZero();
            }
            assertThat(proposed(drafter)).isEqualTo(before);
            decode(drafter, 2);
            assertThat(learning(drafter).learn()).isEqualTo(3);
            assertThat(proposed(drafter)).isNotEqualTo(before);
        }
    }

    @Test
    void saysThatItLearnsAndNamesTheWeightsItBeginsWith() {
        try (var drafter = drafter(0.1)) {
            assertThat(drafter.traits().learns()).isTrue();
            assertThat(drafter.digest()).isEqualTo("00ff");
            decode(drafter, 1);
            learning(drafter).learn();
            assertThat(drafter.digest()).isEqualTo("00ff");
        }
    }

    @Test
    void aDraftWithOtherLogitsThanTheTargetsCannotLearn() {
        var factory = factory();
        var config = config(new LearnConfig(0.1, 1, 1, 512, Divergence.FORWARD_KL));
        assertThatThrownBy(() ->
                        factory.create(
                                config, () -> new TokenizerOnlyTarget(VOCABULARY, VOCABULARY + 1)))
                .hasMessage(
                        """
                        DRAFTER_VOCABULARY_MISMATCH: drafter 'small-model' at %s has 2 logits, but the target has 3: it cannot learn from them
                          Leave 'learn' out, or use a draft with as many embeddings as the target.\
                        """
                                .formatted(folder));
        assertThat(open).hasValue(0);
    }

    @Test
    void settingsThatCannotLearnAreRefused() {
        var learn = Optional.of(new LearnConfig(0.1, 1, 1, 512, Divergence.FORWARD_KL));
        assertThatThrownBy(() ->
                        new SmallModelConfig(
                                folder,
                                Optional.empty(),
                                SmallModelConfig.Backend.VECTOR,
                                Drafting.of(new TreePlan.Chain(2)),
                                VocabularyMode.SHARED,
                                SmallModelConfig.StatesOf.OWN,
                                learn))
                .hasMessage(
                        "'learn' needs 'vocabulary: same': the target's logits are of its own tokens");
        assertThatThrownBy(() -> new LearnConfig(0.1, 0, 1, 512, Divergence.FORWARD_KL))
                .hasMessage("every is 0, steps 1 and tokens 512; expected at least 1, 1 and 2");
    }

    private Map<List<List<Integer>>, Double> law(Drafter first, Drafter second, Runnable between) {
        return ExactDistribution.enumerated(randomness -> {
            learning(first).restart();
            var one = decode(first, randomness, 8);
            between.run();
            return List.of(one, decode(second, randomness, 2));
        });
    }

    /// The largest error of any probability of both texts together, the second one being as independent of the first as the target's is.
    private double error(Map<List<List<Integer>>, Double> law) {
        var firsts = new HashMap<List<Integer>, Double>();
        var seconds = new HashMap<List<Integer>, Map<List<Integer>, Double>>();
        law.forEach((texts, mass) -> {
            firsts.merge(texts.get(0), mass, Double::sum);
            seconds.computeIfAbsent(texts.get(0), _ -> new HashMap<>())
                    .merge(texts.get(1), mass, Double::sum);
        });
        double[] largest = {distance(firsts, 1)};
        seconds.forEach((text, second) ->
                largest[0] =
                        Math.max(largest[0], distance(second, firsts.getOrDefault(text, 0.0))));
        return largest[0];
    }

    private double distance(Map<List<Integer>, Double> texts, double mass) {
        var law = ExactDistribution.completed(texts, target, POLICY, PROMPT, 3);
        var expected = new HashMap<List<Integer>, Double>();
        ExactDistribution.ofTarget(target, POLICY, PROMPT, 3)
                .forEach((text, probability) -> expected.put(text, probability * mass));
        return ExactDistribution.distance(law, expected);
    }

    private List<Integer> decode(Drafter drafter, Randomness randomness, int tokens) {
        var rounds = new AtomicInteger();
        DecodeListener count =
                event -> {
                    if (event instanceof DecodeEvent.RoundCompleted) {
                        rounds.incrementAndGet();
                    }
                };
        var generation =
                decoder(drafter)
                        .decode(
                                new DecodeRequest(PROMPT, tokens, POLICY, List.of(), true),
                                _ -> randomness,
                                count,
                                () -> rounds.get() == 1);
        return Arrays.stream(generation.tokens()).boxed().toList();
    }

    private void decode(Drafter drafter, int number) {
        decoder(drafter)
                .decode(
                        new DecodeRequest(PROMPT, 8, POLICY, List.of(), true),
                        RandomnessSource.of(new KeyedRandomStreams(5, number)));
    }

    private Decoder decoder(Drafter drafter) {
        return new Decoder(
                TableTarget.of(target),
                Optional.of(drafter),
                new TokenRejectionRule(),
                FixedLength.drafterLimit(),
                false,
                () -> 0);
    }

    private static void judged(DraftSession session, float... logits) {
        var draft = draft(session);
        session.observe(
                draft,
                new Verdict(List.of(), 0, Verdict.Origin.CORRECTION),
                new Everywhere(logits));
    }

    /// The same logits at every node.
    private record Everywhere(float[] row) implements TargetScores {
        @Override
        public int size() {
            return 3;
        }

        @Override
        public int vocabularySize() {
            return row.length;
        }

        @Override
        public MemorySegment logits(int node) {
            return MemorySegment.ofArray(row);
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            throw new AssertionError("the drafter does not read hidden states");
        }

        @Override
        public void close() {}
    }

    /// Counts networks that are open.
    private record Counted(DecoderNetwork network, AtomicInteger open) implements DecoderNetwork {
        @Override
        public KvCache newCache(int rows) {
            return network.newCache(rows);
        }

        @Override
        public PassResult forward(List<RowBlock> blocks, PassOutputs outputs) {
            return network.forward(blocks, outputs);
        }

        @Override
        public void close() {
            open.decrementAndGet();
            network.close();
        }
    }

    private static DraftSession opened(Drafter drafter) {
        var session = drafter.open(new DraftRequest(32, POLICY));
        session.begin(PROMPT, SessionDriver.NO_STATES);
        return session;
    }

    private static Draft draft(DraftSession session) {
        return session.propose(DraftBudget.chain(2), SessionDriver.randomness(1));
    }

    /// With what probabilities it draws.
    private static List<List<Double>> proposed(DraftSession session) {
        if (!(draft(session).selection() instanceof Selection.Independent(var distributions))) {
            throw new AssertionError("drawn");
        }
        return IntStream.range(0, 2)
                .mapToObj(node -> Arrays.stream(distributions.row(node)).boxed().toList())
                .toList();
    }

    private static List<List<Double>> proposed(Drafter drafter) {
        try (var session = opened(drafter)) {
            return proposed(session);
        }
    }

    private static Learning learning(Drafter drafter) {
        return drafter.learning().orElseThrow();
    }

    private Drafter drafter(double rate) {
        return drafter(new LearnConfig(rate, 1, 1, 512, Divergence.FORWARD_KL));
    }

    private Drafter drafter(LearnConfig learn) {
        return factory().create(config(learn), () -> TableTarget.of(target));
    }

    private SmallModelConfig config(LearnConfig learn) {
        return new SmallModelConfig(
                folder,
                Optional.empty(),
                SmallModelConfig.Backend.VECTOR,
                Drafting.of(new TreePlan.Chain(2)),
                VocabularyMode.SAME,
                SmallModelConfig.StatesOf.OWN,
                Optional.of(learn));
    }

    private SmallModelDrafterFactory factory() {
        return new SmallModelDrafterFactory((config, _) -> {
            var directory = new Checkpoint(config.path());
            var decoder = ModelConfig.read(directory).decoder();
            try (var tensors = directory.openTensors()) {
                var network =
                        new VectorNetwork(
                                decoder, new CheckpointWeights(decoder, tensors), Precision.F32);
                open.incrementAndGet();
                return new DraftModel(
                        new Counted(network, open),
                        new LetterTokenizer(VOCABULARY),
                        VOCABULARY,
                        64,
                        1,
                        "00ff",
                        Optional.empty());
            }
        });
    }

    private static StoredTensor tensor(String name, SplittableRandom random, long... shape) {
        int size = (int) Arrays.stream(shape).reduce(1, (a, b) -> a * b);
        var values = new float[size];
        for (int i = 0; i < size; i++) {
            values[i] = shape.length == 1 ? 1 : (float) (random.nextGaussian() * 0.5);
        }
        return StoredTensor.ofFloats(name, values, shape);
    }
}
