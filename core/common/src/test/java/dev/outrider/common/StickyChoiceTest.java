package dev.outrider.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StickyChoiceTest {
    @Test
    void aChoiceIsKeptAndItsFirstRoundSaysNothingOfItsTime() {
        var held = new StickyChoice(3);
        var answers = List.of(5, 5, 0).iterator();
        var choices = new ArrayList<Integer>();
        var settled = new ArrayList<Boolean>();
        for (int round = 0; round < 9; round++) {
            choices.add(held.next(answers::next));
            settled.add(held.settled());
        }

        assertThat(choices).containsExactly(5, 5, 5, 5, 5, 5, 0, 0, 0);
        assertThat(settled).containsExactly(false, true, true, true, true, true, false, true, true);
    }
}
