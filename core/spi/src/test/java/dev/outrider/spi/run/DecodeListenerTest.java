package dev.outrider.spi.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.run.DecodeEvent.FinishReason;
import dev.outrider.spi.run.DecodeEvent.Finished;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecodeListenerTest {
    private final List<String> heard = new ArrayList<>();

    @Test
    void oneAfterTheOtherHearsEverything() {
        var both = listener("first", true).and(listener("second", true));
        both.onText("abc");
        both.onEvent(new Finished(FinishReason.MAX_TOKENS, 3));

        assertThat(heard)
                .containsExactly("first: abc", "second: abc", "first: event", "second: event");
    }

    @Test
    void textIsWantedIfEitherWantsIt() {
        assertThat(listener("a", true).and(listener("b", false)).wantsText()).isTrue();
        assertThat(listener("a", false).and(listener("b", true)).wantsText()).isTrue();
        assertThat(listener("a", false).and(listener("b", false)).wantsText()).isFalse();
    }

    @Test
    void nobodyWantsNoText() {
        assertThat(DecodeListener.none().wantsText()).isFalse();
    }

    private DecodeListener listener(String name, boolean wantsText) {
        return new DecodeListener() {
            @Override
            public void onEvent(DecodeEvent event) {
                heard.add(name + ": event");
            }

            @Override
            public void onText(String text) {
                heard.add(name + ": " + text);
            }

            @Override
            public boolean wantsText() {
                return wantsText;
            }
        };
    }
}
