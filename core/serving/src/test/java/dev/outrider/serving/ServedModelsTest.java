package dev.outrider.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.common.CacheMemory;
import dev.outrider.config.ConfigLoader;
import dev.outrider.engine.check.Compatibility.LossyPairings;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.processing.TokenPenalties;
import dev.outrider.engine.scoring.TokenScore;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.serving.Completion.Reason;
import dev.outrider.serving.ServingRequest.Ending;
import dev.outrider.serving.ServingRequest.Sampling;
import dev.outrider.serving.ServingRequest.Scores;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.tree.TokenTree;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests with real networks that a request's tokens and reported numbers do not depend on the other requests.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServedModelsTest {
    private static final int REQUESTS = 200;
    private static final Path MODELS =
            Path.of(System.getProperty("outrider.root", "../.."))
                    .resolve("models")
                    .toAbsolutePath();
    private static final String EXPERIMENT =
            """
            name: served
            target: {use: vector, path: %1$s/tiny-target}
            variants:
              - {name: chain, drafter: {use: small-model, path: %1$s/tiny-draft, length: 4}}
              - {name: tree, drafter: {use: small-model, path: %1$s/tiny-draft, tree: {widths: [3, 2, 1]}}}
              - {name: eagle, drafter: {use: eagle3, path: %1$s/tiny-eagle3, length: 3}}
              - {name: lookup, drafter: {use: prompt-lookup, length: 5}}
            """
                    .formatted(MODELS);

    private final LoadedExperiment loaded =
            LoadedExperiment.load(
                    new ConfigLoader(
                                    PluginRegistry.onClassPath(
                                            ServedModelsTest.class.getClassLoader()),
                                    MODELS)
                            .parse(EXPERIMENT, "test", MODELS, ExperimentConfig.class, List.of())
                            .config(),
                    System::nanoTime,
                    true);
    private final TargetModel target = loaded.target();
    private final List<ServedVariant> variants =
            loaded.variants().stream()
                    .map(each ->
                            new ServedVariant(
                                    each.name(),
                                    each.decoder(),
                                    Optional.empty(),
                                    LossyPairings.inFile(false)))
                    .toList();

    @AfterAll
    void close() {
        loaded.close();
    }

    private ServingEngine engine(int sequences, int prefillRows) {
        return ServingEngine.start(
                target,
                variants,
                new ServingLimits(sequences, REQUESTS, Long.MAX_VALUE, prefillRows, true),
                System::nanoTime);
    }

    private ServedVariant variant(String name) {
        return variants.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    }

    @Test
    void everySeededRequestOfACrowdIsWhatItIsAlone() {
        var random = new Random(7);
        var groups =
                Stream.generate(() -> choices(mixed(random), random.nextInt(8) == 0 ? 3 : 1))
                        .limit(REQUESTS)
                        .toList();
        var requests = groups.stream().flatMap(List::stream).toList();
        assertThat(requests).hasSizeGreaterThan(REQUESTS);
        var finished = new ArrayList<Completion>();
        try (var engine = engine(9, 16)) {
            var tickets = new ArrayList<Ticket>();
            for (var group : groups) {
                int first = tickets.size();
                tickets.addAll(
                        Request.submit(engine, group, index -> cancelling(first + index, tickets)));
            }
            tickets.forEach(ticket -> finished.add(Crowd.await(ticket)));
            var counters = engine.counters();
            assertThat(counters.running() + counters.waiting()).isZero();
            assertThat(counters.acceptedTokens()).isPositive();
            assertThat(counters.sharedTokens()).isGreaterThan(1000);
        }
        for (int index = 0; index < requests.size(); index++) {
            var alone = Crowd.alone(requests.get(index));
            var ids = Arrays.stream(alone.tokens()).boxed().toList();
            var whole = finished.get(index);
            if (whole.reason() == Reason.CANCELLED) {
                assertThat(ids.subList(0, whole.tokens().size())).isEqualTo(whole.tokens());
            } else {
                assertThat(whole.tokens()).as("request %d", index).isEqualTo(ids);
                assertThat(whole.text()).isEqualTo(alone.text());
                assertThat(whole.reason().name()).isEqualTo(alone.reason().name());
            }
        }
        assertThat(finished.stream().map(Completion::reason).distinct())
                .contains(Reason.CANCELLED, Reason.STOP_STRING, Reason.MAX_TOKENS);
    }

    /// Every tenth request is cancelled by its listener after two rounds.
    private static ServingListener cancelling(int index, List<Ticket> tickets) {
        return new ServingListener() {
            @Override
            public void onRound(ServedRound round) {
                if (index % 10 == 9 && round.round() == 2 && tickets.size() > index) {
                    tickets.get(index).cancel();
                }
            }
        };
    }

    /// Returns a request as often as its client wants texts of it; the copies differ in their random numbers.
    private static List<Request> choices(Request request, int count) {
        var sampling = request.sampling();
        return LongStream.range(sampling.sequence(), sampling.sequence() + count)
                .mapToObj(each ->
                        request.withSampling(
                                new Sampling(
                                        sampling.policy(),
                                        sampling.processors(),
                                        sampling.seed(),
                                        each)))
                .toList();
    }

    private Request mixed(Random random) {
        var own = prompt(2 + random.nextInt(60), random);
        var prompt = random.nextBoolean() ? own : after(50, own);
        var request =
                Request.of(
                                variants.get(random.nextInt(variants.size())),
                                prompt,
                                4 + random.nextInt(40))
                        .withClient("client " + random.nextInt(3))
                        .withSampling(sampling(random, prompt.ids().size()));
        if (random.nextInt(3) == 0) {
            request =
                    request.withEnding(
                            new Ending(
                                    request.ending().maxTokens(),
                                    List.of("e", "th"),
                                    random.nextBoolean()));
        }
        if (random.nextInt(4) == 0) {
            request = request.withScores(new Scores(OptionalInt.of(2), OptionalInt.of(0)));
        }
        return random.nextInt(4) == 0 ? request.withDraftLength(random.nextInt(3)) : request;
    }

    /// Returns a prompt that begins with so many tokens that are the same for all requests.
    private EncodedPrompt after(int common, EncodedPrompt own) {
        var all = new ArrayList<>(prompt(common, new Random(5)).ids());
        all.addAll(own.ids());
        return new EncodedPrompt(all, List.of());
    }

    private static Sampling sampling(Random random, int promptTokens) {
        var policy =
                switch (random.nextInt(4)) {
                    case 0 -> SamplingPolicy.atTemperature(1);
                    case 1 -> new SamplingPolicy(0.8, 20, 0.9, 0, 1.2);
                    default -> SamplingPolicy.argmax();
                };
        var processors = new ArrayList<ProcessorChain.Named>();
        if (random.nextInt(4) == 0) {
            processors.add(TokenPenalties.penalties(0.5, 0.25));
            processors.add(TokenPenalties.bias(Map.of(random.nextInt(50), 3f)));
        }
        return new Sampling(policy, processors, random.nextLong(), random.nextInt(4));
    }

    private EncodedPrompt prompt(int tokens, Random random) {
        var ids =
                target.tokenizer()
                        .encode(
                                "Once upon a time there was a little dog. The dog had a red ball.",
                                true);
        var text = IntStream.of(ids).boxed().toList();
        var all = new ArrayList<Integer>();
        while (all.size() < tokens) {
            all.addAll(text.subList(0, 1 + random.nextInt(text.size())));
        }
        return new EncodedPrompt(all.subList(0, tokens), List.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "eagle"})
    void scoresOfAPromptAreThoseOfAPass(String name) {
        var prompt = prompt(75, new Random(3));
        var request =
                Request.of(variant(name), prompt, 5)
                        .withScores(new Scores(OptionalInt.empty(), OptionalInt.of(3)));
        try (var engine = engine(2, 16)) {
            var busy = Request.submit(engine, mixed(new Random(1)), new ServingListener() {});
            var whole = Crowd.await(Request.submit(engine, request, new ServingListener() {}));
            var scored =
                    Crowd.await(
                            Request.submit(
                                    engine,
                                    request.withEnding(Request.after(0)),
                                    new ServingListener() {}));
            assertThat(whole.tokens())
                    .isEqualTo(Arrays.stream(Crowd.alone(request).tokens()).boxed().toList());
            assertThat(scored.reason()).isEqualTo(Reason.SCORED);
            assertThat(scored.tokens()).isEmpty();
            assertThat(scored.promptScores()).isEqualTo(whole.promptScores());
            assertThat(whole.promptScores()).hasSize(75).startsWith(Optional.empty());
            assertScored(prompt.ids(), whole.promptScores().subList(1, 75), 1);
            var _ = Crowd.await(busy);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "chain", "tree", "eagle", "lookup"})
    void scoresOfEmittedTokensAreThoseOfPlainDecoding(String name) {
        var prompt = prompt(20, new Random(4));
        var emitted = Collections.synchronizedList(new ArrayList<Optional<TokenScore>>());
        var request =
                Request.of(variant(name), prompt, 30)
                        .withSampling(
                                new Sampling(
                                        SamplingPolicy.atTemperature(0.7),
                                        List.of(TokenPenalties.bias(Map.of(5, 2f))),
                                        3,
                                        0))
                        .withScores(new Scores(OptionalInt.of(3), OptionalInt.empty()));
        try (var engine = engine(4, 16)) {
            var busy =
                    Stream.generate(() ->
                                    Request.submit(
                                            engine, mixed(new Random(1)), new ServingListener() {}))
                            .limit(3)
                            .toList();
            var whole =
                    Crowd.await(
                            Request.submit(
                                    engine,
                                    request,
                                    new ServingListener() {
                                        @Override
                                        public void onRound(ServedRound round) {
                                            round.tokens()
                                                    .forEach(each -> emitted.add(each.score()));
                                        }
                                    }));
            var text = new ArrayList<>(prompt.ids());
            text.addAll(whole.tokens());
            assertThat(emitted).hasSameSizeAs(whole.tokens());
            assertScored(text, emitted, prompt.ids().size());
            busy.forEach(Crowd::await);
        }
    }

    /// Scores, numbers and candidates, are those of one plain pass over the text.
    private void assertScored(List<Integer> text, List<Optional<TokenScore>> scores, int from) {
        int[] ids = text.stream().mapToInt(Integer::intValue).toArray();
        var tree = TokenTree.chain(ids[0], Arrays.copyOfRange(ids, 1, ids.length));
        try (var session = target.open(SessionRequest.ofCapacity(ids.length));
                var pass = session.score(tree)) {
            for (int index = 0; index < scores.size(); index++) {
                var score = scores.get(index).orElseThrow();
                double[] row =
                        logSoftmax(pass.logits(from + index - 1).toArray(ValueLayout.JAVA_FLOAT));
                var order =
                        IntStream.range(0, row.length)
                                .boxed()
                                .sorted((a, b) -> Double.compare(row[b], row[a]))
                                .toList();
                assertThat(score.token()).isEqualTo(ids[from + index]);
                assertThat(score.logProbability()).isCloseTo(row[score.token()], within(1e-6));
                assertThat(score.candidates().stream().map(TokenScore.Candidate::token))
                        .isEqualTo(order.subList(0, 3));
                for (var candidate : score.candidates()) {
                    assertThat(candidate.logProbability())
                            .isCloseTo(row[candidate.token()], within(1e-6));
                }
            }
        }
    }

    private static double[] logSoftmax(float[] logits) {
        double most =
                IntStream.range(0, logits.length).mapToDouble(i -> logits[i]).max().orElseThrow();
        double sum =
                IntStream.range(0, logits.length)
                        .mapToDouble(i -> StrictMath.exp(logits[i] - most))
                        .sum();
        return IntStream.range(0, logits.length)
                .mapToDouble(i -> logits[i] - most - StrictMath.log(sum))
                .toArray();
    }

    @Test
    void cachesOfTargetAndDrafterAreCounted() {
        long own = target.capability(CacheMemory.class).orElseThrow().bytesPerPosition();
        assertThat(own).isPositive();
        assertThat(refusedBytes("plain")).isEqualTo(own * 12);
        assertThat(refusedBytes("lookup")).isEqualTo(own * (12 + 5));
        assertThat(refusedBytes("chain")).isGreaterThan(own * (12 + 4));
        assertThat(refusedBytes("eagle")).isGreaterThan(own * (12 + 3));
    }

    /// The number of bytes for which the engine refuses a request of 12 tokens.
    private long refusedBytes(String name) {
        var limits = new ServingLimits(1, 1, 1, 16, true);
        try (var engine = ServingEngine.start(target, variants, limits, System::nanoTime)) {
            var request = Request.of(variant(name), prompt(2, new Random(1)), 10);
            var refusal =
                    catchThrowableOfType(
                            OutriderException.class,
                            () -> Request.submit(engine, request, new ServingListener() {}));
            assertThat(refusal.code()).isEqualTo(ErrorCode.OUT_OF_MEMORY);
            return Long.parseLong(refusal.problem().replaceFirst(".* take (\\d+) bytes.*", "$1"));
        }
    }

    /// A long prompt is read in parts; meanwhile the requests that write continue.
    @Test
    void aLongPromptStallsNobody() throws InterruptedException {
        var written = new CountDownLatch(3);
        try (var engine = engine(2, 4)) {
            var writing =
                    Request.submit(
                            engine,
                            Request.of(variant("plain"), prompt(2, new Random(1)), 100)
                                    .withEnding(new Ending(100, List.of(), true)),
                            new ServingListener() {
                                @Override
                                public void onRound(ServedRound round) {
                                    written.countDown();
                                }
                            });
            written.await();
            var reading =
                    Crowd.await(
                            Request.submit(
                                    engine,
                                    Request.of(variant("plain"), prompt(120, new Random(2)), 1),
                                    new ServingListener() {}));
            assertThat(reading.usage().emittedTokens()).isEqualTo(1);
            writing.cancel();
            assertThat(Crowd.await(writing).usage().rounds()).isGreaterThan(30);
        }
    }

    /// The second prompt reads the part that both prompts share, in parts; the others copy it.
    @ParameterizedTest
    @ValueSource(strings = {"plain", "eagle"})
    void whatPromptsHaveInCommonIsReadOnce(String name) throws InterruptedException {
        var writing =
                Request.of(variant("plain"), prompt(2, new Random(1)), 1)
                        .withEnding(new Ending(40, List.of(), true));
        try (var engine = engine(4, 8)) {
            for (int request = 0; request < 4; request++) {
                var ids = new ArrayList<>(prompt(100, new Random(5)).ids());
                ids.addAll(List.of(10 + request, 3, 4));
                var asked =
                        Request.of(variant(name), new EncodedPrompt(ids, List.of()), 9)
                                .withSampling(
                                        Request.sampling(SamplingPolicy.atTemperature(1), request));
                long before = engine.counters().emittedTokens();
                var tickets =
                        Request.submit(
                                engine, List.of(writing, asked), _ -> new ServingListener() {});
                var whole = Crowd.await(tickets.getLast());
                long emitted = engine.counters().emittedTokens() - before;
                assertThat(whole.tokens())
                        .isEqualTo(Arrays.stream(Crowd.alone(asked).tokens()).boxed().toList());
                assertThat(whole.usage().sharedTokens()).isEqualTo(request < 2 ? 0 : 96);
                if (request < 2) { // 103 tokens in parts of 8: the other one goes on meanwhile
                    assertThat(emitted).isGreaterThan(9 + 10);
                }
                Crowd.await(tickets.getFirst());
            }
            var counters = engine.counters();
            assertThat(counters.sharedTokens()).isEqualTo(2 * 96);
            assertThat(counters.lookedTokens()).isEqualTo(4 * (2 + 103));
            assertThat(counters.promptTokens()).isEqualTo(counters.lookedTokens());
        }
    }

    @Test
    void requestsNeedMemoryMoreThanWhatTheyHaveInCommon() {
        long own = target.capability(CacheMemory.class).orElseThrow().bytesPerPosition();
        var limits = new ServingLimits(2, 4, 400 * own, 16, true);
        var plain = variant("plain");
        try (var engine = ServingEngine.start(target, List.of(plain), limits, System::nanoTime)) {
            var first = Request.of(plain, prompt(90, new Random(5)), 2);
            assertThat(shared(engine, first)).isZero();
            assertThat(shared(engine, first)).isZero();
            assertThat(shared(engine, first)).isEqualTo(80);
            assertThat(engine.counters().cacheBytes()).isEqualTo(80 * own);
            var large = Request.of(plain, prompt(200, new Random(5)), 1);
            assertThat(shared(engine, large.withEnding(Request.after(120)))).isEqualTo(80);
            assertThat(engine.counters().cacheBytes()).isEqualTo(80 * own);
            assertThat(shared(engine, large.withEnding(Request.after(121)))).isZero();
            assertThat(engine.counters().cacheBytes()).isZero();
        }
    }

    /// Two prompts share a beginning, and the store has room for only one of them at a time: the other reads it itself.
    @Test
    void longBeginningsThatAreReadAtOnceBothEnd() {
        long own = target.capability(CacheMemory.class).orElseThrow().bytesPerPosition();
        var limits = new ServingLimits(2, 4, 400 * own, 16, true);
        var plain = variant("plain");
        var requests =
                IntStream.of(5, 6)
                        .mapToObj(seed -> prompt(66, new Random(seed)).ids().reversed())
                        .map(ids -> new EncodedPrompt(ids, List.of()))
                        .map(each -> Request.of(plain, each, 2))
                        .toList();
        try (var engine = ServingEngine.start(target, List.of(plain), limits, System::nanoTime)) {
            requests.forEach(each -> assertThat(shared(engine, each)).isZero());
            for (var ticket : Request.submit(engine, requests, _ -> new ServingListener() {})) {
                assertThat(Crowd.await(ticket).usage().sharedTokens()).isZero();
            }
            assertThat(engine.counters().cacheBytes()).isEqualTo(64 * own);
            assertThat(requests.stream().mapToInt(each -> shared(engine, each)).sum())
                    .isEqualTo(64);
        }
    }

    /// A drafter whose states are not stored shares nothing.
    @Test
    void whatIsNotSharedIsNotCounted() {
        var plain = variant("plain");
        try (var engine =
                ServingEngine.start(
                        target,
                        List.of(plain),
                        new ServingLimits(1, 1, Long.MAX_VALUE, ServingLimits.PREFILL_ROWS, true),
                        System::nanoTime)) {
            var prompt = prompt(90, new Random(5));
            for (int expected : new int[] {0, 0, 80}) {
                assertThat(shared(engine, Request.of(plain, prompt, 2))).isEqualTo(expected);
            }
            long looked = engine.counters().lookedTokens();
            var asked = Request.of(variant("eagle"), prompt, 5);
            assertThat(shared(engine, asked)).isZero();
            assertThat(engine.counters().lookedTokens()).isEqualTo(looked);
        }
    }

    private static int shared(ServingEngine engine, Request request) {
        return Crowd.await(Request.submit(engine, request, new ServingListener() {}))
                .usage()
                .sharedTokens();
    }
}
