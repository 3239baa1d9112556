package dev.outrider.chat;

/// One message of a conversation.
///
/// @param role    who speaks: `system`, `user`, `assistant`, `tool`, or what else the template knows
/// @param content what is said
public record ChatMessage(String role, String content) {}
