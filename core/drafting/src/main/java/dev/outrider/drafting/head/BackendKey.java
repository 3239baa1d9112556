package dev.outrider.drafting.head;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;

/// The key of drafters whose own networks also run on a device.
public record BackendKey(
        @Doc(
                        "What runs it: vector (Java's code on the processor) or tornado (device 0 through TornadoVM: f32, f16, int8 or int4;"
                                + " without 'precision' f32 or a GGUF file's).")
                @Default("vector")
                DraftBackend backend) {
    /// The default.
    public static final BackendKey VECTOR = new BackendKey(DraftBackend.VECTOR);
}
