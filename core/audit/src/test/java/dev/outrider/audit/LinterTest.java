package dev.outrider.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LinterTest {
    private static final Setting WARM =
            new Setting(SamplingPolicy.atTemperature(1), Optional.empty());

    private static Answer answer(String prompt, int read, int written) {
        return new Answer("", prompt, List.of(read), List.of(written), false, "", "");
    }

    private static void trace(Linter linter, String line) throws Exception {
        linter.trace(Answer.MAPPER.readTree(line));
    }

    @Test
    void aPromptThatIsAskedAgainInAFileIsSaid() throws Exception {
        var linter = new Linter(WARM, List.of());
        trace(linter, "{}");
        linter.end(answer("first", 1, 1));
        linter.end(answer("second", 2, 1));
        assertThat(linter.findings(true)).isEmpty();

        linter.end(answer("first", 1, 2));

        assertThat(linter.findings(true))
                .singleElement()
                .asString()
                .contains("prompts repeat (first)");
    }

    @Test
    void onePromptUnderTwoNamesIsSaidAndAskingAgainIsNot() {
        var linter = new Linter(WARM, List.of());
        linter.end(answer("first", 1, 1));
        linter.end(answer("first", 1, 2));
        assertThat(linter.findings(true)).isEmpty();

        linter.end(answer("second", 1, 3));

        assertThat(linter.findings(true)).singleElement().asString().contains("second");
    }

    @Test
    void aSeedThatNeverVariesIsSaid() throws Exception {
        var one = new Linter(WARM, List.of());
        var two = new Linter(WARM, List.of());
        for (int line = 0; line < 3; line++) {
            trace(one, "{\"seed\": 5}");
            trace(two, "{\"seed\": %d}".formatted(line));
        }

        assertThat(one.findings(true)).singleElement().asString().contains("have the seed 5");
        assertThat(two.findings(true)).isEmpty();
    }

    @Test
    void aFirstRequestThatWaitsForALaunchIsSaid() throws Exception {
        var waits = new Linter(WARM, List.of());
        trace(waits, "{\"ttfts\": [9, 1, 2, 1, 1.5]}");
        var even = new Linter(WARM, List.of());
        trace(even, "{\"ttfts\": [4, 1, 2, 1, 1.5]}");

        assertThat(waits.findings(true)).singleElement().asString().contains("may hold a launch");
        assertThat(even.findings(true)).isEmpty();
    }

    @Test
    void moreAcceptedGuessesThanTheDistributionsAllowAreSaid() throws Exception {
        int tokens = 200;
        double[] overlap = new double[1];
        var possible = read(tokens, overlap);
        trace(possible, "{\"accepted\": %d}".formatted((int) overlap[0]));
        assertThat(possible.findings(true)).isEmpty();

        trace(possible, "{\"accepted\": 90}");

        assertThat(overlap[0]).isLessThan(tokens - 30);
        assertThat(possible.findings(true))
                .singleElement()
                .asString()
                .contains("allow no more than");
    }

    private static Linter read(int tokens, double[] overlap) {
        var linter = new Linter(Toy.CORRECT, List.of(Toy.DRAFTS));
        int[] text = new SplittableRandom(1).ints(tokens, 0, Toy.VOCABULARY).toArray();
        Toy.oracle()
                .read(
                        Toy.PROMPT.array(),
                        List.of(),
                        text,
                        place -> {
                            double[] p = place.distribution(Toy.CORRECT);
                            double[] q = place.distribution(Toy.DRAFTS);
                            overlap[0] +=
                                    IntStream.range(0, p.length)
                                            .mapToDouble(each -> Math.min(p[each], q[each]))
                                            .sum();
                            linter.take(place, p);
                        });
        return linter;
    }
}
