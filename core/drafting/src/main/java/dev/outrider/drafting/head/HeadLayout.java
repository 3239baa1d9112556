package dev.outrider.drafting.head;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.spi.target.HiddenState;
import java.util.List;

/// The properties of a head's checkpoint that are known before its tensors are loaded.
public interface HeadLayout {
    /// Returns the name of the layout, for messages.
    String dialect();

    /// Returns the draft layers, with the parts that join them to the target's features.
    DecoderConfig config();

    /// Returns the names of the weights.
    TensorLayout names();

    /// Returns the states of the target that the head reads, in order.
    List<HiddenState> captured();

    /// Returns one line for the log.
    String summary();
}
