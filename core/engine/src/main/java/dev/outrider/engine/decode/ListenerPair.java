package dev.outrider.engine.decode;

import dev.outrider.spi.DecodeEvent;

/// Two listeners as one.
record ListenerPair(DecodeListener first, DecodeListener second) implements DecodeListener {
    @Override
    public void onEvent(DecodeEvent event) {
        first.onEvent(event);
        second.onEvent(event);
    }

    @Override
    public void onText(String text) {
        first.onText(text);
        second.onText(text);
    }

    @Override
    public boolean wantsText() {
        return first.wantsText() || second.wantsText();
    }
}
