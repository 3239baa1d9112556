package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.cli.ModelFacts.MemoryFacts.Line;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModelAdviceTest {
    private static final long MILLION = 1_000_000;
    private static final long ROOM = 8_000 * MILLION;
    private static final List<Line> OTHERS =
            List.of(line("bf16", 2200), line("int8", 1169), line("w8a8", 1100), line("int4", 619));

    @Test
    void fewBitsStayAsTheyAre() {
        var blocks = new Line("q4_k, q6_k", true, 2000 * MILLION, 681 * MILLION, Optional.empty());

        assertThat(of(blocks, ROOM, 0, true)).startsWith("next: outrider tune");
        assertThat(of(blocks, ROOM, 0, false)).startsWith("next: outrider tune");
    }

    @Test
    void largeWeightsInSixteenBitsReadFewerBytesInEight() {
        var plain = line("bf16", 2200);

        assertThat(of(plain, ROOM, 0, true))
                .startsWith("a pass reads 1.1 GB with precision: w8a8, and 2.2 GB as the file");
        assertThat(of(plain, ROOM, 0, false))
                .startsWith("a pass reads 1.2 GB with precision: int8");
        var small = new Line("bf16", true, 900 * MILLION, plain.bytesPerPass(), Optional.empty());
        assertThat(of(small, ROOM, 0, true)).startsWith("next: outrider tune");
    }

    @Test
    void whatDoesNotFitIsRunInThePrecisionThatFits() {
        assertThat(of(line("f32", 4400), 2500 * MILLION, 0, false))
                .contains("the weights take 4.4 GB, and 2.5 GB are free", "precision: bf16");
        assertThat(of(line("f32", 4400), 1110 * MILLION, 0, true)).contains("precision: w8a8");
        assertThat(of(line("f32", 4400), 1110 * MILLION, 0, false)).contains("precision: int4");
        assertThat(of(line("f32", 4400), MILLION, 0, true)).startsWith("no precision fits");
    }

    @Test
    void aModelInTheCacheGainsLittle() {
        assertThat(of(line("bf16", 10), ROOM, 32 * MILLION, true))
                .startsWith("speculation hardly pays: a pass reads 10.0 MB");
    }

    private static String of(Line own, long available, long cache, boolean integers) {
        return new ModelAdvice(own, OTHERS, available, cache, () -> integers).line();
    }

    private static Line line(String precision, long megabytes) {
        long bytes = megabytes * MILLION;
        return new Line(precision, false, bytes, bytes, Optional.empty());
    }
}
