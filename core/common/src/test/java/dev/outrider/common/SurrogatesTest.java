package dev.outrider.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SurrogatesTest {
    @Test
    void onlyHalvesAreReplaced() {
        var text = "a\ud83d\ude00\udc00b\ud800";

        assertThat(Surrogates.anyIn(text)).isTrue();
        assertThat(Surrogates.replaced(text, "<%x>"::formatted))
                .isEqualTo("a\ud83d\ude00<dc00>b<d800>");
    }

    @Test
    void wholeTextStaysAsItIs() {
        var text = "\ud83d\ude00 grin";

        assertThat(Surrogates.anyIn(text)).isFalse();
        assertThat(Surrogates.replaced(text, "<%x>"::formatted)).isSameAs(text);
    }
}
