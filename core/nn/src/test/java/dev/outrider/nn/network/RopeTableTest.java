package dev.outrider.nn.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The expected numbers come from an independent computation in another language.
class RopeTableTest {
    private static final double RELATIVE = 1e-12;

    @Test
    void plainFrequenciesFallGeometrically() {
        var frequencies = new RopeScaling.Unscaled().frequencies(500_000, 128, 1);
        assertClose(frequencies, 0, 1);
        assertClose(frequencies, 1, 0.8146172338565447);
        assertClose(frequencies, 31, 0.0017360467021768657);
        assertClose(frequencies, 63, 2.455140791131609e-06);
    }

    @Test
    void linearScalingDividesAllFrequencies() {
        var plain = new RopeScaling.Unscaled().frequencies(10_000, 64, 1);
        var scaled = new RopeScaling.Linear(4).frequencies(10_000, 64, 1);
        for (int pair = 0; pair < 32; pair++) {
            assertThat(scaled[pair]).isEqualTo(plain[pair] / 4);
        }
    }

    @Test
    void llama3ScalingKeepsShortWavesAndDividesLongOnes() {
        var scaling = new RopeScaling.Llama3(8, 1, 4, 8192);
        var plain = new RopeScaling.Unscaled().frequencies(500_000, 128, 1);
        var frequencies = scaling.frequencies(500_000, 128, 1);
        assertClose(frequencies, 28, 0.003211445994752591);
        assertClose(frequencies, 29, 0.002166570763503359);
        assertClose(frequencies, 32, 0.0005248461609929547);
        assertClose(frequencies, 36, 7.78465527393245e-05);
        assertClose(frequencies, 63, 3.068925988914511e-07);
        assertThat(blended(pair -> plain[pair], pair -> frequencies[pair], 8))
                .containsExactly(29, 30, 31, 32, 33, 34);
        assertThat(scaling.amplitude()).isEqualTo(1);
    }

    @Test
    void yarnBlendsFromOnePairToAnother() {
        var factor = RopeScaling.Yarn.defaultAttentionFactor(4);
        var scaling = new RopeScaling.Yarn(4, 32, 1, 32_768, factor, true);
        var plain = new RopeScaling.Unscaled().frequencies(1e6, 128, 1);
        var frequencies = scaling.frequencies(1e6, 128, 1);
        assertClose(frequencies, 22, 0.008659643233600653);
        assertClose(frequencies, 24, 0.005375321490790102);
        assertClose(frequencies, 30, 0.001064360981247002);
        assertClose(frequencies, 39, 6.490394320837029e-05);
        assertClose(frequencies, 63, 3.102344401879299e-07);
        assertThat(blended(pair -> plain[pair], pair -> frequencies[pair], 4))
                .containsExactlyElementsOf(IntStream.range(24, 40).boxed().toList());
        assertThat(factor).isCloseTo(1.138629436111989, within(1e-15));
        assertThat(scaling.amplitude()).isEqualTo(factor);
    }

    @Test
    void yarnWithoutTruncationBlendsBetweenWholePairs() {
        var frequencies = new RopeScaling.Yarn(4, 32, 1, 32_768, 1, false).frequencies(1e6, 128, 1);
        assertClose(frequencies, 23, 0.006978305848598663);
        assertClose(frequencies, 30, 0.0010792377416765538);
        assertClose(frequencies, 39, 6.187806812450695e-05);
    }

    @Test
    void weightedAttentionFactorsDivide() {
        assertThat(
                        RopeScaling.Yarn.attentionFactor(40, 0.707)
                                / RopeScaling.Yarn.attentionFactor(40, 1))
                .isCloseTo(0.9210423553163399, within(1e-15));
        assertThat(RopeScaling.Yarn.attentionFactor(0.5, 1)).isEqualTo(1);
    }

    @Test
    void tablesHoldARowPerPositionAndAColumnPerPair() {
        var factor = RopeScaling.Yarn.defaultAttentionFactor(4);
        var table =
                RopeTable.of(config(1e6, new RopeScaling.Yarn(4, 32, 1, 32_768, factor, true)), 6);
        assertThat(table.half()).isEqualTo(64);
        assertThat(table.cos()).hasSize(6 * 64);
        assertThat(table.cos()[0]).isEqualTo((float) factor);
        assertThat(table.sin()[0]).isZero();
        assertThat(table.cos()[5 * 64 + 30]).isEqualTo((float) 1.1386133122420776);
        assertThat(table.sin()[5 * 64 + 30]).isEqualTo((float) 0.006059535116760716);

        var llama = RopeTable.of(config(500_000, new RopeScaling.Llama3(8, 1, 4, 8192)), 1001);
        assertThat(llama.cos()[1000 * 64 + 32]).isEqualTo((float) 0.8654010374940257);
        assertThat(llama.sin()[1000 * 64 + 32]).isEqualTo((float) 0.5010798781674073);
    }

    @Test
    void refusesScalingsThatMakeNoSense() {
        assertThatThrownBy(() -> new RopeScaling.Linear(0))
                .hasMessage("factor 0.0 is not positive");
        assertThatThrownBy(() -> new RopeScaling.Linear(Double.NaN))
                .hasMessage("factor NaN is not positive");
        assertThatThrownBy(() -> new RopeScaling.Llama3(8, 4, 4, 8192))
                .hasMessage("high_freq_factor 4.0 is not above low_freq_factor 4.0");
        assertThatThrownBy(() -> new RopeScaling.Yarn(4, 1, 32, 8192, 1, true))
                .hasMessage("beta_fast 1.0 is not above beta_slow 32.0");
    }

    @Test
    void refusesDecodersThatCannotExist() {
        assertThatThrownBy(() -> decoder(8, 3, 16))
                .hasMessage("8 heads cannot share 3 key-value heads");
        assertThatThrownBy(() -> decoder(8, 4, 15))
                .hasMessage("headSize 15 is odd, but rotation takes pairs");
        assertThatThrownBy(() -> decoder(8, 0, 16)).hasMessage("keyValueHeads 0 is not positive");
    }

    private static void assertClose(double[] frequencies, int pair, double expected) {
        assertThat(frequencies[pair]).isCloseTo(expected, within(expected * RELATIVE));
    }

    /// Pairs whose frequency is neither kept nor divided.
    private static Iterable<Integer> blended(
            IntToDoubleFunction plain, IntToDoubleFunction scaled, double factor) {
        return IntStream.range(0, 64)
                .filter(pair ->
                        Math.abs(scaled.applyAsDouble(pair) / plain.applyAsDouble(pair) - 1) > 1e-9)
                .filter(pair ->
                        Math.abs(
                                        scaled.applyAsDouble(pair)
                                                        * factor
                                                        / plain.applyAsDouble(pair)
                                                - 1)
                                > 1e-9)
                .boxed()
                .toList();
    }

    private static DecoderConfig decoder(int heads, int keyValueHeads, int headSize) {
        return DecoderConfig.builder()
                .vocabularySize(10)
                .hiddenSize(8)
                .intermediateSize(8)
                .layers(1)
                .heads(heads)
                .keyValueHeads(keyValueHeads)
                .headSize(headSize)
                .maxPositions(8)
                .tiedHead(true)
                .build();
    }

    private static DecoderConfig config(double theta, RopeScaling scaling) {
        return DecoderConfig.builder()
                .vocabularySize(10)
                .hiddenSize(8)
                .intermediateSize(8)
                .layers(1)
                .heads(1)
                .headSize(128)
                .maxPositions(8)
                .tiedHead(true)
                .ropeTheta(theta)
                .ropeScaling(scaling)
                .build();
    }
}
