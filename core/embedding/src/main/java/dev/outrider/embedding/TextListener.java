package dev.outrider.embedding;

import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;
import java.util.function.Consumer;

/// Passes on text only.
///
/// @param sink receives each piece
record TextListener(Consumer<String> sink) implements DecodeListener {
    @Override
    public void onEvent(DecodeEvent event) {}

    @Override
    public void onText(String text) {
        sink.accept(text);
    }

    @Override
    public boolean wantsText() {
        return true;
    }
}
