package dev.outrider.spi.target;

import dev.outrider.spi.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Writes a conversation in the form a target was trained on. A [TargetModel#capability] of targets that have one.
///
/// Thread-safe.
@API(status = Status.EXPERIMENTAL, since = "2")
public interface ChatFormatter {
    /// The text of a conversation in which user and assistant take turns, up to the beginning of the target's next answer. It
    /// contains its special tokens: encode it without adding any.
    ///
    /// @param messages the messages in order, the first and last by the user: an odd number
    /// @return the text, special tokens included
    /// @throws dev.outrider.spi.error.OutriderException `CHAT_TEMPLATE_INVALID`, or `DATA_INVALID` if the form refuses the conversation
    String format(List<String> messages);

    /// The text of a conversation with other roles too. By default only user and assistant, in turns.
    ///
    /// @param turns the conversation, in order
    /// @return as [#format]
    /// @throws dev.outrider.spi.error.OutriderException as [#format]
    default String write(List<Turn> turns) {
        var messages = turns.stream().map(Turn::content).toList();
        if (!turns.equals(Turn.alternating(messages))) {
            throw ErrorCode.DATA_INVALID.error(
                    "the roles are %s, expected user and assistant in turns"
                            .formatted(turns.stream().map(Turn::role).toList()),
                    "Use a target whose chat form has other roles.");
        }
        return format(messages);
    }

    /// A message of one speaker.
    ///
    /// @param role    of the speaker: `system`, `user`, `assistant`, or another role that the form knows
    /// @param content text of the message
    record Turn(String role, String content) {
        /// {@return the turns of a conversation of user and assistant}
        ///
        /// @param messages in order, the first by the user
        public static List<Turn> alternating(List<String> messages) {
            var turns = new ArrayList<Turn>();
            for (var message : messages) {
                turns.add(new Turn(turns.size() % 2 == 0 ? "user" : "assistant", message));
            }
            return List.copyOf(turns);
        }
    }
}
