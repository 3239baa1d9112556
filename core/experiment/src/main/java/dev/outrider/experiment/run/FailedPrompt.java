package dev.outrider.experiment.run;

/// A prompt that one side could not continue; it is left out of every side.
///
/// @param prompt its id
/// @param side   who failed first
/// @param reason the error's message
public record FailedPrompt(String prompt, String side, String reason) {}
