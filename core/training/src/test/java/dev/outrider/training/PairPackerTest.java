package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.training.data.Document;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PairPackerTest {
    private static final int POOL = 8;

    @Test
    void aRowHasTheSourceAndTheAnswerFilledUpAndCut() {
        DocumentSource pairs =
                () ->
                        Stream.of(
                                new Document.Completion("ab", "c", true),
                                new Document.Completion("abcdef", "ghij", true));
        try (var packer = new PairPacker(pairs, new LetterPairEncoder(), 4, 3, 1, 0)) {
            var rows = Stream.generate(packer::next).limit(POOL).map(each -> each.row(0));
            assertThat(rows.map(Arrays::toString).distinct())
                    .containsExactlyInAnyOrder("[2, 3, 1, 0, 4, 1, 0]", "[2, 3, 4, 5, 8, 9, 10]");
        }
    }

    @Test
    void aPoolHasPairsOfTheSameLengthInOneBatch() {
        try (var packer = new PairPacker(growing(), new LetterPairEncoder(), 90, 4, 4, 0)) {
            var shortestFirst =
                    Stream.generate(() -> lengths(packer.next()))
                            .limit(POOL)
                            .sorted(Comparator.comparing(List::getFirst))
                            .flatMap(List::stream)
                            .toList();
            assertThat(shortestFirst).hasSize(4 * POOL).isSorted();
        }
    }

    @Test
    void goesOnFromAnyBatchAsIfNotStopped() {
        for (int stop = 0; stop < 2 * POOL + 1; stop++) {
            try (var whole = new PairPacker(growing(), new LetterPairEncoder(), 90, 4, 3, 0)) {
                batches(whole, stop);
                try (var resumed =
                        new PairPacker(
                                growing(), new LetterPairEncoder(), 90, 4, 3, whole.consumed())) {
                    assertThat(resumed.consumed()).isEqualTo(whole.consumed()).isEqualTo(3L * stop);
                    assertThat(batches(resumed, POOL)).isEqualTo(batches(whole, POOL));
                }
            }
        }
    }

    private static List<Long> lengths(TokenRows rows) {
        return IntStream.range(0, rows.rows())
                .mapToObj(row -> Arrays.stream(rows.row(row)).filter(id -> id != 0).count())
                .toList();
    }

    private static List<List<Long>> batches(PairPacker packer, int count) {
        return Stream.generate(() -> Arrays.stream(packer.next().tokens()).boxed().toList())
                .limit(count)
                .toList();
    }

    /// Sources of 1 to 80 letters, in a scattered order.
    private static DocumentSource growing() {
        return () ->
                Stream.iterate(0, i -> i + 1)
                        .limit(80)
                        .map(i -> new Document.Completion("a".repeat(1 + i * 33 % 80), "b", true));
    }
}
