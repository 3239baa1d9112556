package dev.outrider.spi.run;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Follows a sequence while it is decoded. Called on the decoding thread between rounds; its time counts
/// as the engine's. Confined to that thread.
@API(status = Status.EXPERIMENTAL, since = "2")
public interface DecodeListener {
    /// Receives an event.
    ///
    /// @param event valid without limit, but a draft's distributions are large: do not keep them
    void onEvent(DecodeEvent event);

    /// Receives final text: it is part of the result, and no stop string can remove it any more.
    ///
    /// @param text the text after that of the calls before
    default void onText(String text) {}

    /// {@return whether [#onText] is wanted} Without it, and without stop strings, text is decoded once at the end.
    default boolean wantsText() {
        return false;
    }

    /// {@return a listener that does nothing}
    static DecodeListener none() {
        return event -> {};
    }

    /// {@return a listener that calls both, this one first}
    ///
    /// @param other called second
    default DecodeListener and(DecodeListener other) {
        var first = this;
        return new DecodeListener() {
            @Override
            public void onEvent(DecodeEvent event) {
                first.onEvent(event);
                other.onEvent(event);
            }

            @Override
            public void onText(String text) {
                first.onText(text);
                other.onText(text);
            }

            @Override
            public boolean wantsText() {
                return first.wantsText() || other.wantsText();
            }
        };
    }
}
