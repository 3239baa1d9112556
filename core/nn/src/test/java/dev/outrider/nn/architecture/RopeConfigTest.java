package dev.outrider.nn.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.network.RopeScaling;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The spellings of rotary scaling.
class RopeConfigTest extends ConfigFiles {
    @Test
    void readsAllSpellingsOfRotaryScaling() throws IOException {
        var yarn = "\"factor\":4.0,\"original_max_position_embeddings\":32768}";
        var expected =
                new RopeScaling.Yarn(
                        4, 32, 1, 32768, RopeScaling.Yarn.defaultAttentionFactor(4), true);
        for (var decoder :
                List.of(
                        small(
                                "rope_theta",
                                "1000000",
                                "rope_scaling",
                                "{\"rope_type\":\"yarn\"," + yarn),
                        small(
                                "rope_theta",
                                "1000000.0",
                                "rope_scaling",
                                "{\"type\":\"yarn\"," + yarn),
                        small(
                                "rope_parameters",
                                "{\"rope_theta\":1e6,\"rope_type\":\"yarn\"," + yarn),
                        small(
                                "rope_parameters",
                                "{\"full_attention\":{\"rope_theta\":1e6,\"rope_type\":\"yarn\","
                                        + yarn
                                        + "}"))) {
            assertThat(decoder.decoder().ropeTheta()).isEqualTo(1e6);
            assertThat(decoder.decoder().ropeScaling()).isEqualTo(expected);
        }
    }

    @Test
    void readsUnscaledAndLinearRotation() throws IOException {
        var plain = small("rope_parameters", "{\"rope_type\":\"default\",\"rope_theta\":5000.0}");
        assertThat(plain.decoder().ropeScaling()).isEqualTo(new RopeScaling.Unscaled());
        assertThat(plain.decoder().ropeTheta()).isEqualTo(5000);
        assertThat(small("rope_scaling", "null").decoder().ropeScaling())
                .isEqualTo(new RopeScaling.Unscaled());
        assertThat(
                        small("rope_scaling", "{\"type\":\"linear\",\"factor\":2}")
                                .decoder()
                                .ropeScaling())
                .isEqualTo(new RopeScaling.Linear(2));
    }

    /// `theta ((factor length / positions) - (factor - 1))^(d / (d - 2))` is theta up to the positions.
    @Test
    void dynamicRotationIsUnscaledUpToTheMaximum() throws IOException {
        var decoder = small("rope_scaling", "{\"type\":\"dynamic\",\"factor\":4.0}").decoder();
        assertThat(decoder.ropeScaling().frequencies(5000, 8, 2048))
                .isEqualTo(new RopeScaling.Unscaled().frequencies(5000, 8, 2048));
        assertThat(decoder.maxPositions()).isEqualTo(2048);
        assertThat(decoder.limitedTo(4096)).isEqualTo(decoder);
        assertThatThrownBy(() -> decoder.stretchedTo(2049))
                .hasMessage("2049 positions, but its dynamic rotation is known for at most 2048");
    }

    @Test
    void readsTheDetailsOfYarn() throws IOException {
        var given =
                small(
                        "max_position_embeddings",
                        "4096",
                        "rope_scaling",
                        "{\"type\":\"yarn\",\"factor\":40,\"beta_fast\":16,\"beta_slow\":2,\"mscale\":0.707,\"mscale_all_dim\":1.0,\"truncate\":false}");
        assertThat(given.decoder().ropeScaling())
                .isEqualTo(
                        new RopeScaling.Yarn(
                                40,
                                16,
                                2,
                                4096,
                                RopeScaling.Yarn.attentionFactor(40, 0.707)
                                        / RopeScaling.Yarn.attentionFactor(40, 1),
                                false));
        var inferred =
                small(
                        "max_position_embeddings",
                        "8192",
                        "rope_scaling",
                        "{\"type\":\"yarn\",\"factor\":null,\"original_max_position_embeddings\":2048,\"attention_factor\":1.5}");
        assertThat(inferred.decoder().ropeScaling())
                .isEqualTo(new RopeScaling.Yarn(4, 32, 1, 2048, 1.5, true));
    }

    @Test
    void refusesRotationItDoesNotHave() throws IOException {
        assertThat(refusal("rope_scaling", "{\"type\":\"ntk\",\"factor\":2.0}"))
                .isEqualTo(
                        "CHECKPOINT_UNSUPPORTED: '%s' has rope_scaling.rope_type 'ntk'; Outrider runs default, dynamic, linear, llama3, yarn and longrope");
        assertThat(
                        refusal(
                                "rope_scaling",
                                "{\"type\":\"dynamic\",\"factor\":1.0,\"alpha\":1000.0}"))
                .contains("has rope_scaling.rope_type 'dynamic' with alpha");
        assertThat(
                        refusal(
                                "rope_scaling",
                                "{\"type\":\"dynamic\",\"factor\":2.0,\"original_max_position_embeddings\":1024}"))
                .contains("'dynamic' with alpha or another original_max_position_embeddings");
        assertThat(refusal("rope_parameters", "{\"rope_type\":\"longrope\"}"))
                .contains(
                        "has rope_parameters.short_factor = ; expected a list of positive numbers");
        assertThat(refusal("partial_rotary_factor", "0.5"))
                .contains("has partial_rotary_factor 0.5; Outrider runs rotation of whole heads");
        assertThat(
                        refusal(
                                "rope_parameters",
                                "{\"rope_type\":\"default\",\"partial_rotary_factor\":0.25}"))
                .contains("has rope_parameters.partial_rotary_factor 0.25;");
        assertThat(
                        refusal(
                                "rope_parameters",
                                "{\"full_attention\":{\"rope_theta\":1e6},\"sliding_attention\":{\"rope_theta\":1e4}}"))
                .contains(
                        "has rope_parameters that differ between layers; Outrider runs the same in all layers");
    }
}
