package dev.outrider.drafting.head;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;

/// The key of drafters whose draft layers also run on a device.
public record BackendKey(
        @Doc(
                        "What runs it: vector (the processor, Java's vector code), or tornado (device 0 through TornadoVM; f32, f16, int8 or"
                                + " int4, f32 when 'precision' is not given).")
                @Default("vector")
                DraftBackend backend) {}
