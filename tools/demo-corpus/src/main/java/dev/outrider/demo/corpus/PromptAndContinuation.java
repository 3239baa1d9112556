package dev.outrider.demo.corpus;

/// What a writer returns: the two halves of a document.
record PromptAndContinuation(String prompt, String continuation) {}
