package dev.outrider.demo.corpus.prose;

/// A passage of a held-out document, cut in two.
///
/// @param id        the document's source and where in it the passage begins
/// @param kind      the document's kind
/// @param prompt    what a model is given; begins with a sentence and never ends in a space
/// @param reference what follows
record ProsePrompt(String id, ProseKind kind, String prompt, String reference) {}
