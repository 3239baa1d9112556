package dev.outrider.experiment.run;

/// A prompt before it is encoded.
///
/// @param id   names it in results
/// @param kind kind of task, or `text`
/// @param text what to continue
public record PromptText(String id, String kind, String text) {}
