package dev.outrider.engine.decode;

import dev.outrider.spi.target.Tokenizer;
import java.util.List;
import java.util.function.Consumer;

/// Turns emitted ids into text, watches for stop strings, and passes on the text that is certain: text that could
/// still become a stop string is held back. Confined to one thread.
final class TextAssembler {
    private final Tokenizer.TokenStream stream;
    private final List<String> stops;
    private final int longestStop;
    private final Consumer<String> sink;
    private final StringBuilder text = new StringBuilder();
    private int passedOn;

    TextAssembler(Tokenizer.TokenStream stream, List<String> stops, Consumer<String> sink) {
        this.stream = stream;
        this.stops = stops;
        this.longestStop = stops.stream().mapToInt(String::length).max().orElse(0);
        this.sink = sink;
    }

    /// Appends a token and reports whether the text now contains a stop string. If so, the text ends
    /// before it.
    boolean append(int token) {
        return add(stream.append(token));
    }

    /// Adds the text still held back and reports whether it completed a stop string.
    boolean finish() {
        boolean stopped = add(stream.finish());
        passOn(text.length());
        return stopped;
    }

    /// Passes on everything before a stop string that was just found.
    void finishStopped() {
        passOn(text.length());
    }

    /// Returns all text so far, up to a stop string.
    String text() {
        return text.toString();
    }

    private boolean add(String piece) {
        int searchFrom = Math.max(0, text.length() - longestStop);
        text.append(piece);
        int stop = firstStop(searchFrom);
        if (stop >= 0) {
            text.setLength(stop);
            return true;
        }
        passOn(text.length() - undecided());
        return false;
    }

    private int firstStop(int from) {
        return stops.stream()
                .mapToInt(stop -> text.indexOf(stop, from))
                .filter(index -> index >= 0)
                .min()
                .orElse(-1);
    }

    /// Length of the longest end of the text that some stop string starts with.
    private int undecided() {
        for (int length = Math.min(longestStop - 1, text.length()); length > 0; length--) {
            String end = text.substring(text.length() - length);
            if (stops.stream().anyMatch(stop -> stop.startsWith(end))) {
                return length;
            }
        }
        return 0;
    }

    private void passOn(int end) {
        if (end > passedOn) {
            sink.accept(text.substring(passedOn, end));
            passedOn = end;
        }
    }
}
