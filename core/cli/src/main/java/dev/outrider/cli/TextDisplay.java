package dev.outrider.cli;

import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeListener;

/// Prints text as soon as it is certain.
final class TextDisplay implements DecodeListener {
    private final Console console;

    TextDisplay(Console console) {
        this.console = console;
    }

    @Override
    public void onEvent(DecodeEvent event) {}

    @Override
    public void onText(String text) {
        console.out().print(text);
        console.out().flush();
    }

    @Override
    public boolean wantsText() {
        return true;
    }
}
