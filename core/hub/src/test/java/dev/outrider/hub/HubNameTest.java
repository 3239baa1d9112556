package dev.outrider.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HubNameTest {
    @Test
    void aNameHasRevisionAndFileIfTheyAreGiven() {
        assertThat(HubName.parse("hf://org/model"))
                .isEqualTo(new HubName("org", "model", "main", Optional.empty()));
        assertThat(HubName.parse("hf://Org-1/mo.del_2@v1.0/q4/a b.gguf"))
                .isEqualTo(new HubName("Org-1", "mo.del_2", "v1.0", Optional.of("q4/a b.gguf")));
        assertThat(HubName.parse("hf://org/model@refs%2Fpr%2F1").revision()).isEqualTo("refs/pr/1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hf://org/model",
                "hf://org/model@v1",
                "hf://org/model@refs%2Fpr%2F1/a.gguf",
                "hf://org/model/q4/a.gguf"
            })
    void aNameIsShownAsItIsWritten(String text) {
        assertThat(HubName.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hf://",
                "hf://org",
                "hf://org/",
                "hf:///model",
                "hf://../model",
                "hf://org/..",
                "hf://org/a--b",
                "hf://o--rg/b",
                "hf://org/a..b",
                "hf://org/.git",
                "hf://or g/model",
                "hf://org/model@",
                "hf://org/model@../x",
                "hf://org/model@..%2F..%2Fx",
                "hf://org/model@a%2F..%2Fb",
                "hf://org/model@%2Fetc",
                "hf://org/model@a\\b",
                "hf://org/model/",
                "hf://org/model/model.safetensors",
                "hf://org/model/../a.gguf",
                "hf://org/model//a.gguf",
                "hf://org/model/a\\b.gguf",
                "hf://org/model/C:a.gguf",
                "hf://org/model/a\0.gguf",
                "HF://org/model"
            })
    void whatIsNoNameIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HubName.parse(text))
                .withMessageStartingWith("hf://ORG/NAME");
    }
}
