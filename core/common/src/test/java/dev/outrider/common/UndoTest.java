package dev.outrider.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UndoTest {
    private final List<String> undone = new ArrayList<>();

    @Test
    void leavesASuccessfulStepAsItIs() {
        assertThat(Undo.<String>onFailure(() -> undone.add("undone"), () -> "made"))
                .isEqualTo("made");
        assertThat(undone).isEmpty();
    }

    @Test
    void undoesAFailedStepAndKeepsItsFailure() {
        var failure = new IllegalStateException("step");
        assertThatThrownBy(() ->
                        Undo.onFailure(
                                () -> undone.add("undone"),
                                () -> {
                                    throw failure;
                                }))
                .isSameAs(failure);
        assertThat(undone).containsExactly("undone");
    }

    @Test
    void aFailureToUndoDoesNotHideTheFirst() {
        var failure = new IllegalStateException("step");
        var second = new IllegalArgumentException("undo");
        assertThatThrownBy(() ->
                        Undo.onFailure(
                                () -> {
                                    throw second;
                                },
                                () -> {
                                    throw failure;
                                }))
                .isSameAs(failure)
                .hasSuppressedException(second);
    }
}
