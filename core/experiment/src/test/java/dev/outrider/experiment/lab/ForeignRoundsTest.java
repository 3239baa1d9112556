package dev.outrider.experiment.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.engine.model.CostCurve;
import dev.outrider.experiment.costs.Costs;
import dev.outrider.experiment.costs.Costs.LinearCost;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Rounds of another engine: tests the reading of its files, and the predicted results of shorter drafts.
class ForeignRoundsTest {
    private static final int DRAFTED = 4;
    private static final Costs COSTS =
            new Costs(
                    "typed",
                    "typed in",
                    new CostCurve(new TreeMap<>(Map.of(1, 10.0, 2, 15.0, 3, 20.0, 5, 30.0))),
                    Map.of("small", new LinearCost(0, 2, "typed in")),
                    Map.of());

    @TempDir private Path folder;

    /// The chance that a guess is right depends on its level alone: `1 + c_1 + c_1 c_2 + ...` tokens a round, for every length.
    @ParameterizedTest
    @CsvSource({"0.8, 0.8, 0.8, 0.8", "0.9, 0.7, 0.5, 0.3", "0.95, 0.5, 0.5, 0.1"})
    void chancesThatDoNotRiseAlongADraftGiveTheTokensOfShorterDrafts(
            double first, double second, double third, double fourth) throws IOException {
        double[] chances = {first, second, third, fourth};
        var random = new SplittableRandom(1);
        var texts = new ArrayList<List<Integer>>();
        for (int text = 0; text < 100; text++) {
            texts.add(
                    IntStream.range(0, 300)
                            .mapToObj(_ -> {
                                int kept = 0;
                                while (kept < DRAFTED && random.nextDouble() < chances[kept]) {
                                    kept++;
                                }
                                return kept + 1;
                            })
                            .toList());
        }

        var answers = answers(texts);

        double reached = 1;
        double tokens = 1;
        for (int length = 1; length <= DRAFTED; length++) {
            reached *= chances[length - 1];
            tokens += reached;
            assertThat(answers.get(length - 1).tokensPerRound().value())
                    .as("K = %d", length)
                    .isCloseTo(tokens, within(.01 * tokens));
        }
    }

    /// In this text, whether a guess is right depends only on its place in the text, and easy places are near one another. The
    /// control: if the recorded rounds are only cut, without moving their starts, they accept less than rounds of that length.
    @Test
    void guessesThatAreRightByPlaceGiveTheRoundsOfShorterDrafts() throws IOException {
        var random = new SplittableRandom(2);
        var places = new ArrayList<boolean[]>();
        for (int text = 0; text < 100; text++) {
            var right = new boolean[1000];
            boolean easy = true;
            for (int at = 0; at < right.length; at++) {
                easy ^= random.nextDouble() < .05;
                right[at] = random.nextDouble() < (easy ? .95 : .3);
            }
            places.add(right);
        }
        var texts = rounds(places, DRAFTED);

        var answers = answers(texts);

        for (int length = 1; length <= DRAFTED; length++) {
            double real = rate(rounds(places, length));
            assertThat(answers.get(length - 1).tokensPerRound().value())
                    .as("K = %d", length)
                    .isCloseTo(real, within(length == DRAFTED ? 1e-9 : .005 * real));
        }
        double cut =
                texts.stream()
                        .flatMap(List::stream)
                        .mapToInt(each -> Math.min(each, 2))
                        .average()
                        .orElseThrow();
        assertThat(cut).isLessThan(rate(rounds(places, 1)) * .97);
    }

    /// Tokens of each round; a text ends with a whole round.
    private static List<List<Integer>> rounds(List<boolean[]> places, int length) {
        return places.stream()
                .map(right -> {
                    var rounds = new ArrayList<Integer>();
                    for (int at = 0; at + length < right.length; at += rounds.getLast()) {
                        int kept = 0;
                        while (kept < length && right[at + kept]) {
                            kept++;
                        }
                        rounds.add(kept + 1);
                    }
                    return List.copyOf(rounds);
                })
                .toList();
    }

    /// Rounds of our own decoder, a small model's drafts of 8 at temperature 0, compared with the results of `lab` from the
    /// recording of the same run.
    @Test
    void ourOwnRoundsGiveWhatTheirRecordingGives() throws Exception {
        var file = Path.of(ForeignRoundsTest.class.getResource("spec-bench.jsonl").toURI());
        var answers = report(Files.readString(file), Collections.nCopies(8, 1)).answers();

        double[] recorded = {1.858, 2.56, 3.148, 3.634, 4.1, 4.465, 4.741, 4.966};
        for (int length = 1; length <= 8; length++) {
            assertThat(answers.get(length - 1).tokensPerRound().value())
                    .as("K = %d", length)
                    .isCloseTo(
                            recorded[length - 1],
                            within(length == 8 ? .001 : .03 * recorded[length - 1]));
        }
    }

    /// One text whose rounds accepted 2, 0 and 1 of three guesses. The last round is left out, because its end is not known; the
    /// others accept the first guess once in two times.
    @Test
    void pricesAreThoseOfItsRows() throws IOException {
        var variant =
                report("{\"accept_lengths\": [3, 1, 2], \"new_tokens\": 6}", List.of(1, 1, 1));

        var whole = variant.answers().get(2);
        assertThat(whole.tokensPerRound().value()).isEqualTo(2);
        // Passes of four rows take 25, three steps 6, of which plain decoding takes 10.
        assertThat(whole.speedup().value()).isCloseTo(6 * 10 / (3 * 31.), within(1e-9));
        assertThat(variant.temperature()).isEmpty();
        assertThat(variant.unanswered().getFirst())
                .startsWith("drafts longer than 3, and other rules: no round says")
                .contains("p and q");
    }

    @Test
    void treesHaveTheRowsOfTheirLevels() throws IOException {
        var answers = report("{\"accept_lengths\": [3, 1, 2]}", List.of(4, 2)).answers();

        assertThat(answers).extracting(LabReport.Answer::draft).containsOnly("tree 4,2");
        // Passes of 5 rows are timed, those of 13 are not.
        assertThat(answers)
                .extracting(LabReport.Answer::passes)
                .containsExactly(CostCurve.Reach.TIMED, CostCurve.Reach.BEYOND);
    }

    @Test
    void everyLayoutGivesItsRounds() throws IOException {
        var bench =
                read(
                        """
                        {"question_id": 81, "category": "writing", "choices": [{"index": 0, "decoding_steps": [2, 1], "new_tokens": [5, 2], "accept_lengths": [3, 2, 2]}]}
                        {"question_id": 82, "choices": [{"new_tokens": [1], "accept_lengths": [1]}]}
                        """);
        assertThat(bench.texts().stream().map(ForeignRounds.Rounds::prompt))
                .containsExactly("81", "82");
        assertKept(bench, 2, 1, 1, 0);
        assertThat(bench.drafted()).isEqualTo(2);

        // Guesses alone, as the tokens say; a block of one is plain decoding; a list of everything.
        assertKept(read("[{\"accept_lengths\": [2, 0, 4], \"tokens\": 9}]"), 2, 0, 4);
        assertKept(
                read(
                        """
                        {"choices": [{"block_size": 1, "acceptance_lengths": [[1, 1, 1, 1, 1]]},
                          {"block_size": 4, "new_tokens": [5], "acceptance_lengths": [[4, 1]]}]}\
                        """),
                3,
                0);

        var histogram =
                read(
                        """
                        {"text": "", "meta_info": {"completion_tokens": 9, "spec_verify_ct": 4, "spec_accept_histogram": [2, 0, 1, 1]}}\
                        """);
        assertThat(histogram.texts().getFirst().kept()).containsExactlyInAnyOrder(0, 0, 2, 3);

        var counters =
                read(
                        """
                        {"spec_decode_num_drafts": 10, "spec_decode_per_position_acceptance_rates": [0.7, 0.5, 0.0]}\
                        """);
        assertThat(counters.texts().getFirst().kept())
                .containsExactlyInAnyOrder(0, 0, 0, 1, 1, 2, 2, 2, 2, 2);
        assertThat(counters.drafted()).isEqualTo(3);
    }

    /// Lengths with the token after the guesses, of an engine whose new_tokens also counts the prompt's own.
    @Test
    void whatLengthsCountIsDecidedOnceForAFile() throws IOException {
        assertKept(
                read(
                        """
                        {"choices": [{"new_tokens": [7], "accept_lengths": [6]}]}
                        {"choices": [{"new_tokens": [9], "accept_lengths": [3, 1, 2, 2]}]}
                        """),
                5,
                2,
                0,
                1,
                1);
    }

    private static void assertKept(ForeignRounds rounds, int... kept) {
        assertThat(rounds.texts().stream().flatMapToInt(each -> Arrays.stream(each.kept())))
                .containsExactly(Arrays.stream(kept).boxed().toArray(Integer[]::new));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"accept_lengths\": [2, -1]} | entry 1: -1 in a list of counts, expected 0 to 1048576",
                "{\"accept_lengths\": [2.5]} | entry 1: 2.5 in a list of counts",
                "{\"accept_lengths\": [NaN]} | Non-standard token 'NaN'",
                "{\"accept_lengths\": [1e999]} | in a list of counts",
                "{\"accept_lengths\": [\"3\"]} | entry 1: \"3\" in a list of counts",
                "{\"accept_lengths\": [4098]} | 4098 tokens, and 4097 guesses kept by a round; expected at most 1048576, and 1 to 4096",
                "{\"accept_lengths\": [3, 0]} | a round of 0 tokens, expected 1",
                "{\"accept_lengths\": [1, 1]} | 0 guesses kept by a round; expected",
                "{\"accept_lengths\": []} | 0 guesses kept by a round; expected",
                "{\"accept_lengths\": [3, 2], \"new_tokens\": [50]} | the lengths of 2 rounds add up to 7 tokens, but new_tokens to 50",
                "{\"idxs\": [9], \"new_tokens\": [30]} | no accept_lengths, spec_accept_histogram or",
                "{\"timings\": {\"draft_n\": 9, \"draft_n_accepted\": 5}} | totals, such as draft_n_accepted, do not say",
                "{\"spec_accept_histogram\": [1, 2000000000]} | 2000000000 in a list of counts",
                "{\"spec_accept_histogram\": [16000000, 16000000]} | 16000000 in a list of counts",
                "{\"spec_decode_num_drafts\": 9, \"spec_decode_per_position_acceptance_rates\": [0.5, 0.6]} | [5, -1, 5] rounds by guesses kept, expected counts",
                "{\"spec_decode_num_drafts\": 9, \"spec_decode_per_position_acceptance_rates\": [\"x\"]} | [18, -9] rounds by guesses kept, expected counts",
                "{\"spec_decode_num_drafts\": -9, \"spec_decode_per_position_acceptance_rates\": [0.5]} | [-4, -4] rounds by guesses kept, expected counts",
                "{\"spec_decode_per_position_acceptance_rates\": [0.5]} | 0 guesses kept by a round; expected",
                "[{\"block_size\": 4, \"acceptance_lengths\": [3]}, {\"block_size\": 8, \"acceptance_lengths\": [3]}] | block sizes [4, 8], expected one",
                "17 | no accept_lengths, spec_accept_histogram or",
                "{\"accept_lengths\": [3, | Unexpected end-of-input",
            })
    void whatIsNoTraceIsRefusedByItsValue(String text, String problem) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith("DATA_INVALID: ")
                .hasMessageContaining("is no file of rounds")
                .hasMessageContaining(problem);
    }

    @Test
    void aFileThatIsMissingIsNamed() {
        assertThatThrownBy(() -> ForeignRounds.read(folder.resolve("nowhere")))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("nowhere");
    }

    private static double rate(List<List<Integer>> texts) {
        return texts.stream().flatMap(List::stream).mapToInt(each -> each).average().orElseThrow();
    }

    private List<LabReport.Answer> answers(List<List<Integer>> texts) throws IOException {
        var lines =
                texts.stream()
                        .map(each -> "{\"choices\": [{\"accept_lengths\": %s}]}".formatted(each))
                        .collect(Collectors.joining("\n"));
        return report(lines, Collections.nCopies(DRAFTED, 1)).answers();
    }

    private LabReport.OfVariant report(String lines, List<Integer> widths) throws IOException {
        return new ForeignLaboratory(
                        read(lines), widths, COSTS, Optional.of("small"), Asked.everything())
                .report()
                .variants()
                .getFirst();
    }

    private ForeignRounds read(String text) throws IOException {
        return ForeignRounds.read(Files.writeString(folder.resolve("rounds.jsonl"), text));
    }
}
