package dev.outrider.drafter.mtp;

import dev.outrider.nn.architecture.ConfigNode;
import dev.outrider.spi.error.OutriderException;

/// How modules are fed, as far as public implementations disagree.
///
/// @param order   of the halves
/// @param feed    what the first module reads of the target
/// @param recycle what stands in for states that are not known yet
record Switches(ConcatOrder order, FeedNorm feed, Recycle recycle) {
    /// What a checkpoint says, or what most implementations do for its layout: states after the final norm.
    ///
    /// @throws OutriderException `MODEL_CONFIG_INVALID` for unknown words
    static Switches read(ConfigNode config, Layout layout) {
        var feed =
                switch (config.text("mtp_feed_norm", "post")) {
                    case "pre" -> FeedNorm.PRE;
                    case "post" -> FeedNorm.POST;
                    default -> throw config.wrong("mtp_feed_norm", "pre or post");
                };
        var recycle =
                switch (config.text("mtp_recycle", "post")) {
                    case "pre" -> Recycle.PRE;
                    case "post" -> Recycle.POST;
                    case "target" -> Recycle.TARGET;
                    default -> throw config.wrong("mtp_recycle", "pre, post or target");
                };
        return new Switches(layout.order(), feed, recycle);
    }
}
