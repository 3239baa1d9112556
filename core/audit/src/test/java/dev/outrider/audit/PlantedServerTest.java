package dev.outrider.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ExactDistribution;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlantedServerTest {
    private static final int[] PROMPT = {1, 2};
    private static final int TOKENS = 3;
    private static final TableModel TARGET = TableModel.random(5, DistributionStyle.DENSE, 1);
    private static final TableModel DRAFT = TableModel.random(5, DistributionStyle.DENSE, 2);

    /// A policy with every operator, so that no fault is hidden; no truncation leaves only one token.
    private static final Wanted ALL =
            Wanted.of(new SamplingPolicy(.6, 4, .9, .12, 1)).penalised(.5, .8);

    /// A policy that shows faults which truncations hide.
    private static final Wanted PLAIN = Wanted.of(new SamplingPolicy(.7, 0, 1, 0, 1));

    private static final Wanted NUCLEUS = Wanted.of(new SamplingPolicy(1, 0, .6, 0, 1));

    private static PlantedDecoder decoder(Set<Fault> faults) {
        return new PlantedDecoder(TableTarget.of(TARGET), TableTarget.of(DRAFT), 2, faults);
    }

    /// Returns the largest error of any probability of the first tokens, by enumeration.
    private static double error(Set<Fault> faults, Wanted wanted) {
        var claimed = enumerated(Set.of(), wanted, false);
        return ExactDistribution.distance(enumerated(faults, wanted, true), claimed);
    }

    private static Map<List<Integer>, Double> enumerated(
            Set<Fault> faults, Wanted wanted, boolean speculative) {
        return ExactDistribution.enumerated(randomness ->
                Arrays.stream(
                                decoder(faults)
                                        .write(
                                                PROMPT,
                                                TOKENS,
                                                wanted,
                                                speculative,
                                                Set.of(),
                                                _ -> randomness)
                                        .tokens())
                        .boxed()
                        .toList());
    }

    @Test
    void withoutFaultsItIsExact() {
        assertThat(error(Set.of(), ALL)).isLessThan(ExactDistribution.TOLERANCE);
        assertThat(error(Set.of(), PLAIN)).isLessThan(ExactDistribution.TOLERANCE);
    }

    @Test
    void withoutDraftsItFollowsTheTarget() {
        var policy = new SamplingPolicy(.6, 4, .9, .12, 1.3);
        var target = ExactDistribution.ofTarget(TARGET, policy, PROMPT, TOKENS);
        assertThat(
                        ExactDistribution.distance(
                                enumerated(Set.of(), Wanted.of(policy), false), target))
                .isLessThan(ExactDistribution.TOLERANCE);
    }

    @ParameterizedTest
    @EnumSource
    void everyFaultIsSeenByEnumeration(Fault fault) {
        assertThat(Stream.of(PLAIN, NUCLEUS, ALL))
                .anyMatch(wanted -> error(Set.of(fault), wanted) > 1e-4);
    }

    @Test
    void pairsAreNotTheSingleFaults() {
        var pair = EnumSet.of(Fault.BONUS_FROM_DRAFT, Fault.CORRECTION_FROM_P);
        var both = enumerated(pair, PLAIN, true);
        for (var fault : pair) {
            assertThat(ExactDistribution.distance(both, enumerated(Set.of(fault), PLAIN, true)))
                    .isGreaterThan(1e-3);
        }
    }

    @Test
    void itAnswersLikeOpenAi() throws Exception {
        try (var server = new PlantedServer(decoder(Set.of()), 7)) {
            var answer =
                    ask(
                            server.address(),
                            """
                            {"prompt": [[1, 2], [3]], "n": 2, "max_tokens": 6, "temperature": 0.7, "seed": 5,
                             "return_token_ids": true}\
                            """);
            assertThat(answer.path("choices")).hasSize(4);
            for (int index = 0; index < 4; index++) {
                var choice = answer.path("choices").path(index);
                var written =
                        decoder(Set.of())
                                .write(
                                        index < 2 ? PROMPT : new int[] {3},
                                        6,
                                        PLAIN,
                                        true,
                                        Set.of(),
                                        RandomnessSource.of(new KeyedRandomStreams(5, index)));
                assertThat(choice.path("token_ids")).hasSize(6);
                assertThat(choice.path("token_ids").toString())
                        .isEqualTo(Arrays.toString(written.tokens()).replace(" ", ""));
            }
            assertThat(answer.at("/usage/completion_tokens").asInt()).isEqualTo(24);
        }
    }

    private static JsonNode ask(URI base, String body) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            var request =
                    HttpRequest.newBuilder(URI.create(base + "/completions"))
                            .POST(BodyPublishers.ofString(body))
                            .build();
            return JsonMapper.builder()
                    .build()
                    .readTree(client.send(request, BodyHandlers.ofString()).body());
        }
    }
}
