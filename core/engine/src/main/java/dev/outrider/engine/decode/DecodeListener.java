package dev.outrider.engine.decode;

import dev.outrider.spi.DecodeEvent;

/// Follows a sequence while it is decoded. Called on the decoding thread between rounds; its time counts
/// as the engine's.
public interface DecodeListener {
    /// Something happened.
    ///
    /// @param event valid for ever, but a draft's laws are large: do not keep them
    void onEvent(DecodeEvent event);

    /// Text became certain: it is part of the result and no stop string can take it back.
    default void onText(String text) {}

    /// Whether [#onText] is wanted. Without it, and without stop strings, text is decoded once at the end.
    default boolean wantsText() {
        return false;
    }

    /// Nobody listens.
    static DecodeListener none() {
        return event -> {};
    }

    /// Both, one after the other.
    default DecodeListener and(DecodeListener other) {
        return new ListenerPair(this, other);
    }
}
