package dev.outrider.demo.corpus.prose;

/// A passage of a held-out document, divided in two.
///
/// @param id        the document's source and the position of the passage
/// @param kind      the document's kind
/// @param prompt    a model's input; begins with a sentence and never ends in a space
/// @param reference the text after the prompt
record ProsePrompt(String id, ProseKind kind, String prompt, String reference) {}
