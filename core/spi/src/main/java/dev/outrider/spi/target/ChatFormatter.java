package dev.outrider.spi.target;

import java.util.ArrayList;
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
    /// @param turns the conversation, in order
    /// @return the text, special tokens included
    /// @throws dev.outrider.spi.error.OutriderException `CHAT_TEMPLATE_INVALID`, or `DATA_INVALID` if the form refuses the conversation
    String write(List<Turn> turns);

    /// The text of a conversation in which user and assistant take turns.
    ///
    /// @param messages the messages in order, the first and last by the user: an odd number
    /// @return as [#write]
    /// @throws dev.outrider.spi.error.OutriderException as [#write]
    default String format(List<String> messages) {
        var turns = new ArrayList<Turn>();
        for (var message : messages) {
            turns.add(new Turn(turns.size() % 2 == 0 ? "user" : "assistant", message));
        }
        return write(turns);
    }

    /// What one side said.
    ///
    /// @param role    who: `system`, `user`, `assistant`, or another role that the form knows
    /// @param content what
    record Turn(String role, String content) {}
}
