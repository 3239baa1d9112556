package dev.outrider.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTextTest {
    @Test
    void textStaysAsItIs() {
        var text = "Zwölf Löwen\n\t狮子 🦁";

        assertThat(PrintableText.of(text)).isSameAs(text);
    }

    @Test
    void whatATerminalWouldObeyIsShown() {
        assertThat(PrintableText.of("a\u001b[2Jb\r\u0007\u007f\u009b31m"))
                .isEqualTo("a\u241b[2Jb\u240d\u2407\u2421<U+009B>31m");
        assertThat(PrintableText.of("\u202etxt.exe\u2066")).isEqualTo("<U+202E>txt.exe<U+2066>");
        assertThat(PrintableText.of("x\ud800y")).isEqualTo("x<U+D800>y");
    }
}
