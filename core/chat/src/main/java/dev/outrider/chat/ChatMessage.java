package dev.outrider.chat;

/// One message of a conversation.
///
/// @param role    the speaker: `system`, `user`, `assistant`, `tool`, or another role of the
///     template
/// @param content the text of the message
public record ChatMessage(String role, String content) {}
