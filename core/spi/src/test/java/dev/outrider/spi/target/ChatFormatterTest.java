package dev.outrider.spi.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.target.ChatFormatter.Turn;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChatFormatterTest {
    private final ChatFormatter formatter = messages -> String.join("|", messages);

    @Test
    void turnsOfUserAndAssistantAreTheirMessages() {
        var turns = Turn.alternating(List.of("a", "b", "c"));
        assertThat(turns)
                .containsExactly(
                        new Turn("user", "a"), new Turn("assistant", "b"), new Turn("user", "c"));
        assertThat(formatter.write(turns)).isEqualTo("a|b|c");
    }

    @Test
    void otherRolesAreRefusedByAFormThatHasNone() {
        var turns = List.of(new Turn("system", "s"), new Turn("user", "u"));
        assertThatThrownBy(() -> formatter.write(turns))
                .hasMessageStartingWith(
                        "DATA_INVALID: the roles are [system, user], expected user and assistant in turns");
    }
}
