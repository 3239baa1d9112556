package dev.outrider.spi.target;

import java.util.List;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Writes a conversation in the form a target was trained on. A [TargetModel#capability] of targets that have one.
///
/// Thread-safe.
@API(status = Status.EXPERIMENTAL, since = "2")
public interface ChatFormatter {
    /// The text up to where the target's next answer begins. It carries its special tokens: encode it without adding any.
    ///
    /// @param messages the messages in order, the first and last by the user: an odd number
    /// @return the text, special tokens included
    /// @throws dev.outrider.spi.error.OutriderException `CHAT_TEMPLATE_INVALID`, or `DATA_INVALID` if the form refuses the conversation
    String format(List<String> messages);
}
