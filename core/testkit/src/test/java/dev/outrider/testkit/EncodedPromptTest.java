package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.decode.EncodedPrompt;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EncodedPromptTest {
    private static final TableModel MODEL = TableModel.random(5, DistributionStyle.DENSE, 1);

    @Test
    void aDecoderContinuesItsPrompt() {
        var target = TableTarget.of(MODEL);
        assertThat(EncodedPrompt.of(target, "cab")).isEqualTo(prompt(List.of(2, 0, 1), List.of()));
        assertThat(EncodedPrompt.of(target, Optional.empty(), "cab"))
                .isEqualTo(EncodedPrompt.of(target, "cab"));
        assertThat(EncodedPrompt.ofChat(target, "cab")).isEqualTo(EncodedPrompt.of(target, "cab"));
        assertThat(EncodedPrompt.of(target, "cab").array()).containsExactly(2, 0, 1);
    }

    @Test
    void aSourceForADecoderIsKeptForTheRefusal() {
        assertThat(EncodedPrompt.of(TableTarget.of(MODEL), Optional.of("ab"), "c"))
                .isEqualTo(prompt(List.of(2), List.of(0, 1)));
    }

    @Test
    void anEncoderDecoderReadsItsSourceAndBeginsWithItsFirstToken() {
        var target = TableTarget.reading(MODEL);
        assertThat(EncodedPrompt.of(target, "cab")).isEqualTo(prompt(List.of(0), List.of(2, 0, 1)));
        assertThat(EncodedPrompt.of(target, Optional.of("ab"), "cd"))
                .isEqualTo(prompt(List.of(0, 2, 3), List.of(0, 1)));
    }

    private static EncodedPrompt prompt(List<Integer> ids, List<Integer> source) {
        return new EncodedPrompt(ids, source);
    }
}
