package dev.outrider.nn.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.common.PrefixSharing;
import dev.outrider.common.PrefixSharing.KeptPrompts;
import dev.outrider.common.PrefixSharing.Reading;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowCopying;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel.ScoreRequest;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sequences that begin with rows of a prompt that was read before are as if they had read it, to the last bit.
@ParameterizedClass
@EnumSource(Precision.class)
class PromptStoreTest {
    private static final int TOKENS = 50;
    private static final int LAYERS = 3;
    private static final int CAPACITY = 260;
    private static final long MUCH = 1L << 28;
    private static final long ROW_BYTES = 2L * LAYERS * 2 * 8 * 4;
    private static final long STATE_BYTES = 3L * 32 * 4;
    private static final List<HiddenState> STATES =
            List.of(
                    new HiddenState.AfterLayer(0),
                    new HiddenState.AfterLayer(LAYERS),
                    new HiddenState.AfterFinalNorm());
    private static final DecoderConfig CONFIG =
            DecoderConfig.builder()
                    .vocabularySize(TOKENS)
                    .hiddenSize(32)
                    .intermediateSize(48)
                    .layers(LAYERS)
                    .heads(4)
                    .keyValueHeads(2)
                    .maxPositions(CAPACITY)
                    .slidingWindow(OptionalInt.of(7))
                    .firstWindowLayer(1)
                    .build();

    private final SplittableRandom random = new SplittableRandom(7);
    private final NetworkTarget target;
    private long available = MUCH;

    private final Precision precision;

    PromptStoreTest(Precision precision) {
        this.precision = precision;
        target = target(network());
    }

    private VectorNetwork network() {
        return new VectorNetwork(CONFIG, new RandomWeights(CONFIG, 3, 1), precision);
    }

    private NetworkTarget target(DecoderNetwork network) {
        return new NetworkTarget(
                new TargetDescription(
                        "tiny", "vector", TOKENS, 32, LAYERS, CAPACITY, 0, Set.of(), "00"),
                new NumberTokenizer(TOKENS),
                network,
                ROW_BYTES,
                () -> available);
    }

    @AfterEach
    void close() {
        target.close();
    }

    @Test
    void sequencesThatBeginWithAKeptPromptAreAsIfTheyHadReadIt() {
        for (int length : new int[] {1, 5, 17, 150}) {
            int[] prompt = tokens(length);
            var texts = new ArrayList<int[]>();
            for (int text = 0; text < 3; text++) {
                int[] common = Arrays.copyOf(prompt, 1 + random.nextInt(length));
                texts.add(join(common, tokens(random.nextInt(6))));
            }
            texts.add(prompt);
            texts.add(tokens(4));
            var trees = texts.stream().map(_ -> tree()).toList();
            var expected = run(texts, trees);
            try (var kept = keep(MUCH)) {
                assertThat(kept.read(prompt)).isEqualTo(Reading.READ);
                assertThat(kept.read(prompt)).isEqualTo(Reading.KNOWN);
                assertThat(kept.bytes()).isEqualTo(length * (ROW_BYTES + STATE_BYTES));
                assertThat(run(texts, trees)).isEqualTo(expected);
                assertThat(run(texts, trees)).isEqualTo(expected);
            }
            assertThat(run(texts, trees)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 60})
    void aPromptIsReadInPartsAndGoesOnWhereAnotherEnds(int part) {
        int[] prompt = tokens(50);
        int[] longer = join(prompt, tokens(31));
        int[] other = join(Arrays.copyOf(prompt, 20), tokens(9));
        var texts = List.of(prompt, longer, other, join(longer, tokens(3)), tokens(4));
        var trees = texts.stream().map(_ -> tree()).toList();
        var expected = run(texts, trees);
        long rowBytes = ROW_BYTES + STATE_BYTES;
        try (var kept = keep(MUCH)) {
            assertThat(kept.read(prompt, 0)).isZero();
            for (int rows = part; rows < 50 + part; rows += part) {
                assertThat(kept.read(prompt, part)).isEqualTo(Math.min(50, rows));
                assertThat(beginning(longer, Set.copyOf(STATES))).isEqualTo(Math.min(50, rows));
                assertThat(run(texts, trees)).isEqualTo(expected);
            }
            assertThat(kept.bytes()).isEqualTo(50 * rowBytes);
            assertThat(kept.read(longer, part)).isEqualTo(50 + Math.min(31, part));
            assertThat(kept.read(other, 1)).isEqualTo(21);
            assertThat(kept.read(longer, 81)).isEqualTo(81);
            assertThat(kept.bytes()).isEqualTo((81 + 29) * rowBytes);
            assertThat(kept.read(prompt, 1)).isEqualTo(50);
            assertThat(kept.read(join(other, tokens(1)), 31)).isEqualTo(30);
            assertThat(kept.bytes()).isEqualTo((81 + 30) * rowBytes);
            assertThat(run(texts, trees)).isEqualTo(expected);
        }
        try (var kept = keep(50 * rowBytes)) {
            kept.read(prompt);
            assertThat(kept.read(longer, part)).isEqualTo(50);
        }
    }

    @Test
    void promptsThatAreReadInTurnsDoNotTakeEachOthersRoom() {
        long rowBytes = ROW_BYTES + STATE_BYTES;
        int[] one = tokens(60);
        int[] other = tokens(60);
        int[] longer = join(one, tokens(10));
        other[0] = (one[0] + 1) % TOKENS;
        try (var kept = keep(100 * rowBytes)) {
            assertThat(kept.read(one, 16)).isEqualTo(16);
            assertThat(kept.read(other, 16)).isZero();
            assertThat(kept.read(one, 16)).isEqualTo(32);
            kept.abandon(one);
            assertThat(kept.read(other, 60)).isEqualTo(60);
            kept.abandon(other);
            assertThat(kept.read(other, 0)).isEqualTo(60);
            assertThat(kept.read(one, 60)).isEqualTo(60);
            assertThat(kept.bytes()).isEqualTo(60 * rowBytes);
            // It does not give up what it would take over.
            assertThat(kept.read(longer, 16)).isEqualTo(60);
            assertThat(kept.bytes()).isEqualTo(60 * rowBytes);
        }
        try (var kept = keep(MUCH)) {
            kept.read(one, 16);
            kept.read(longer, 16);
            // The longer one is ahead, and is not caught up with.
            assertThat(kept.read(one, 16)).isEqualTo(32);
            assertThat(kept.read(one, 16)).isEqualTo(32);
            assertThat(kept.read(longer, 70)).isEqualTo(70);
            assertThat(kept.bytes()).isEqualTo(70 * rowBytes);
        }
    }

    @Test
    void aWholeReadingTakesNothingOver() {
        int[] prompt = tokens(50);
        int[] longer = join(prompt, tokens(31));
        int[] brief = Arrays.copyOf(prompt, 20);
        var network = new Watched(network());
        try (var watched = target(network);
                var kept = keep(watched, MUCH)) {
            for (var each : List.of(prompt, longer, brief)) {
                network.rows = 0;
                assertThat(kept.read(each)).isEqualTo(Reading.READ);
                assertThat(network.rows).isEqualTo(each.length);
            }
            for (var each : List.of(prompt, longer, brief)) {
                assertThat(kept.read(each)).isEqualTo(Reading.KNOWN);
            }
        }
    }

    /// Rows of a part that failed after its first pass are not begun with.
    @Test
    void aPartThatFailsHalfWayIsForgotten() {
        int[] prompt = tokens(200);
        var network = new Watched(network());
        try (var watched = target(network)) {
            var expected = states(watched, prompt);
            try (var kept = keep(watched, MUCH)) {
                for (var failure :
                        List.of(new OutOfMemoryError("test"), new StackOverflowError())) {
                    assertThat(kept.read(prompt, 5)).isEqualTo(5);
                    network.failsAt = network.rows + 130;
                    network.failure = failure;
                    assertThatThrownBy(() -> kept.read(prompt, 140)).isSameAs(failure);
                    network.failsAt = Integer.MAX_VALUE;
                    assertThat(kept.bytes()).isZero();
                    assertThat(kept.read(prompt, 140)).isEqualTo(140);
                    assertThat(states(watched, prompt)).isEqualTo(expected);
                    kept.abandon(prompt);
                }
            }
        }
    }

    private static List<List<Float>> states(NetworkTarget target, int[] prompt) {
        try (var session = target.open(request());
                var states = session.prefill(prompt)) {
            return numbers(states);
        }
    }

    /// Counts rows, and fails where it is told to.
    private static final class Watched implements RowCopying {
        private final VectorNetwork network;
        private int rows;
        private int failsAt = Integer.MAX_VALUE;
        private Error failure = new AssertionError("not set");

        Watched(VectorNetwork network) {
            this.network = network;
        }

        @Override
        public KvCache newCache(int most) {
            return network.newCache(most);
        }

        @Override
        public PassResult forward(List<RowBlock> blocks, PassOutputs outputs) {
            rows += blocks.stream().mapToInt(each -> each.tokens().length).sum();
            if (rows >= failsAt) {
                throw failure;
            }
            return network.forward(blocks, outputs);
        }

        @Override
        public void copy(KvCache from, int most, KvCache to) {
            network.copy(from, most, to);
        }

        @Override
        public void close() {
            network.close();
        }
    }

    /// Meanwhile the prompt is forgotten and read again.
    @Test
    void sessionsOfSeveralThreadsBeginWithOnePrompt() {
        int threads = 4;
        int[] prompt = tokens(40);
        int[] other = tokens(40);
        var texts = List.of(prompt, join(prompt, tokens(3)));
        var trees = texts.stream().map(_ -> tree()).toList();
        var expected = run(texts, trees);
        var barrier = new CyclicBarrier(threads + 1);
        try (var kept = keep(40 * (ROW_BYTES + STATE_BYTES));
                var pool = Executors.newFixedThreadPool(threads)) {
            kept.read(prompt);
            var runs =
                    IntStream.range(0, threads)
                            .mapToObj(_ ->
                                    pool.submit(() -> {
                                        barrier.await();
                                        for (int time = 0; time < 5; time++) {
                                            assertThat(run(texts, trees)).isEqualTo(expected);
                                        }
                                        return true;
                                    }))
                            .toList();
            await(barrier);
            do {
                assertThat(kept.read(other)).isEqualTo(Reading.READ);
                assertThat(kept.read(prompt)).isEqualTo(Reading.READ);
            } while (!runs.stream().allMatch(Future::isDone));
            assertThat(runs).extracting(Future::resultNow).containsOnly(true);
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void statesOutliveAPromptThatMakesRoomForAnother() {
        int[] prompt = tokens(9);
        int[] text = join(prompt, tokens(3));
        try (var kept = keep(9 * (ROW_BYTES + STATE_BYTES))) {
            kept.read(prompt);
            try (var session = target.open(request());
                    var states = session.prefill(text);
                    var fresh = target.open(request())) {
                var before = numbers(states);
                assertThat(kept.read(tokens(9))).isEqualTo(Reading.READ);
                assertThat(kept.read(tokens(9))).isEqualTo(Reading.READ);
                assertThat(numbers(states)).isEqualTo(before);
                try (var read = fresh.prefill(text)) {
                    assertThat(numbers(read)).isEqualTo(before);
                }
                assertThat(scores(session)).isEqualTo(scores(fresh));
                assertThat(numbers(states)).isEqualTo(before);
            }
        }
    }

    @Test
    void theLongestBeginningOfAllStoresIsTaken() {
        int[] prompt = tokens(9);
        var wanted = Set.copyOf(STATES);
        try (var brief = keep(MUCH);
                var whole = keep(MUCH);
                var half = keep(MUCH);
                var stateless = keep(MUCH, Set.of())) {
            brief.read(Arrays.copyOf(prompt, 2));
            whole.read(prompt);
            half.read(Arrays.copyOf(prompt, 5));
            stateless.read(prompt);
            assertThat(beginning(prompt, wanted)).isEqualTo(9);
            whole.close();
            assertThat(beginning(prompt, wanted)).isEqualTo(5);
            assertThat(beginning(prompt, Set.of())).isEqualTo(9);
            half.close();
            assertThat(beginning(prompt, wanted)).isEqualTo(2);
            brief.close();
            assertThat(target.beginning(prompt, wanted)).isEmpty();
        }
    }

    private int beginning(int[] tokens, Set<HiddenState> wanted) {
        try (var beginning = target.beginning(tokens, wanted).orElseThrow()) {
            return beginning.rows();
        }
    }

    @Test
    void aPromptThatCannotBeReadMakesNoRoom() {
        int[] first = {0, 0, 0};
        int[] unknown = new int[CAPACITY];
        unknown[7] = TOKENS;
        try (var kept = keep((CAPACITY + 1) * (ROW_BYTES + STATE_BYTES))) {
            kept.read(first);
            assertThatThrownBy(() -> kept.read(unknown)).hasMessageContaining("TOKEN");
            assertThatThrownBy(() -> kept.read(new int[CAPACITY + 1]))
                    .hasMessageContaining(String.valueOf(CAPACITY + 1));
            assertThat(kept.read(first)).isEqualTo(Reading.KNOWN);
        }
    }

    @Test
    void aSequenceOutlivesThePromptThatItBeganWith() {
        int[] prompt = tokens(9);
        var kept = keep(MUCH);
        kept.read(prompt);
        try (var session = target.open(request());
                var states = session.prefill(prompt);
                var fresh = target.open(request())) {
            var before = numbers(states);
            kept.close();
            kept.close();
            assertThat(kept.bytes()).isZero();
            assertThat(kept.read(prompt)).isEqualTo(Reading.REFUSED);
            assertThat(numbers(states)).isEqualTo(before);
            fresh.prefill(prompt).close();
            assertThat(scores(session)).isEqualTo(scores(fresh));
        }
    }

    @Test
    void aSessionThatAsksForAStateThatIsNotKeptReads() {
        var middle = new HiddenState.AfterLayer(1);
        int[] prompt = tokens(9);
        try (var kept = keep(MUCH)) {
            kept.read(prompt);
            try (var session = target.open(new SessionRequest(CAPACITY, Set.of(middle)));
                    var states = session.prefill(prompt)) {
                assertThat(states.hidden(middle, 8).byteSize()).isEqualTo(32 * 4);
            }
        }
    }

    @Test
    void promptsBeyondTheMemoryAreForgottenOrRefused() {
        int[] first = {0, 0, 0};
        int[] second = {1, 0, 0};
        long each = 3 * (ROW_BYTES + STATE_BYTES);
        try (var kept = keep(2 * each - 1)) {
            assertThat(kept.read(first)).isEqualTo(Reading.READ);
            assertThat(kept.read(second)).isEqualTo(Reading.READ);
            assertThat(kept.bytes()).isEqualTo(each);
            assertThat(kept.read(first)).isEqualTo(Reading.READ);
            assertThat(kept.read(new int[0])).isEqualTo(Reading.REFUSED);
            assertThat(kept.read(new int[6])).isEqualTo(Reading.REFUSED);
        }
        try (var kept = keep(2 * each)) {
            kept.read(first);
            kept.read(second);
            assertThat(kept.read(first)).isEqualTo(Reading.KNOWN);
            kept.read(new int[] {2, 0, 0});
            assertThat(kept.read(first)).isEqualTo(Reading.KNOWN);
            assertThat(kept.read(second)).isEqualTo(Reading.READ);
        }
        assertThatThrownBy(() -> keep(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void promptsTakeAtMostAQuarterOfTheAvailableMemory() {
        long each = 3 * (ROW_BYTES + 3L * 32 * 4);
        available = 4 * each;
        try (var kept = keep(MUCH)) {
            assertThat(kept.read(new int[4])).isEqualTo(Reading.REFUSED);
            assertThat(kept.read(new int[3])).isEqualTo(Reading.READ);
        }
    }

    @Test
    void promptsGoWhereThereIsNoMemoryForAnother() {
        try (var kept = keep(MUCH)) {
            kept.read(new int[3]);
            available = 5 * ROW_BYTES - 1;
            assertThat(kept.read(new int[5])).isEqualTo(Reading.REFUSED);
            assertThat(kept.bytes()).isZero();
            // Any other failure is the caller's.
            assertThatThrownBy(() -> kept.read(new int[] {TOKENS}))
                    .hasMessageStartingWith("TOKEN_OUT_OF_RANGE");
            assertThat(kept.read(new int[4])).isEqualTo(Reading.READ);
        }
    }

    private KeptPrompts keep(long bytes) {
        return keep(bytes, Set.copyOf(STATES));
    }

    private static KeptPrompts keep(NetworkTarget target, long bytes) {
        return target.capability(PrefixSharing.class).orElseThrow().keep(bytes, Set.copyOf(STATES));
    }

    private KeptPrompts keep(long bytes, Set<HiddenState> states) {
        return target.capability(PrefixSharing.class).orElseThrow().keep(bytes, states);
    }

    private static SessionRequest request() {
        return new SessionRequest(CAPACITY, Set.copyOf(STATES));
    }

    /// States of prompts, then twice scores of trees after them, all sequences in one pass.
    private List<List<Float>> run(List<int[]> texts, List<TokenTree> trees) {
        var numbers = new ArrayList<List<Float>>();
        var sessions = new ArrayList<TargetSession>();
        try {
            var requests = new ArrayList<ScoreRequest>();
            for (int text = 0; text < texts.size(); text++) {
                sessions.add(target.open(request()));
                try (var states = sessions.getLast().prefill(texts.get(text))) {
                    assertThat(states.size()).isEqualTo(texts.get(text).length);
                    numbers.addAll(numbers(states));
                }
                requests.add(new ScoreRequest(sessions.getLast(), trees.get(text)));
            }
            for (int round = 0; round < 2; round++) {
                for (var scores : target.scoreAll(requests)) {
                    numbers.addAll(logits(scores));
                    scores.close();
                }
                for (var request : requests) {
                    int leaf = request.tree().size() - 1;
                    var path = Arrays.stream(request.tree().path(leaf)).skip(1).boxed().toList();
                    request.session().commit(new Verdict(path, 0, Verdict.Origin.CORRECTION));
                }
            }
            return numbers;
        } finally {
            sessions.reversed().forEach(TargetSession::close);
        }
    }

    private static List<List<Float>> scores(TargetSession session) {
        try (var scores = session.score(TokenTree.chain(1, 2, 3))) {
            return logits(scores);
        }
    }

    private static List<List<Float>> logits(TargetScores scores) {
        var numbers = new ArrayList<List<Float>>();
        for (int node = 0; node < scores.size(); node++) {
            numbers.add(list(scores.logits(node).toArray(ValueLayout.JAVA_FLOAT)));
        }
        numbers.addAll(numbers(scores));
        return numbers;
    }

    private static List<List<Float>> numbers(HiddenStates states) {
        var numbers = new ArrayList<List<Float>>();
        for (int index = 0; index < states.size(); index++) {
            for (var which : STATES) {
                numbers.add(list(states.hidden(which, index).toArray(ValueLayout.JAVA_FLOAT)));
            }
        }
        return numbers;
    }

    private static List<Float> list(float[] numbers) {
        var list = new ArrayList<Float>();
        for (float number : numbers) {
            list.add(number);
        }
        return list;
    }

    private int[] tokens(int count) {
        return random.ints(count, 0, TOKENS).toArray();
    }

    private TokenTree tree() {
        var builder = TokenTree.builder(random.nextInt(TOKENS));
        for (int node = 1; node < 6; node++) {
            builder.add(random.nextInt(builder.size()), random.nextInt(TOKENS));
        }
        return builder.build();
    }

    private static int[] join(int[] one, int[] other) {
        return IntStream.concat(Arrays.stream(one), Arrays.stream(other)).toArray();
    }
}
