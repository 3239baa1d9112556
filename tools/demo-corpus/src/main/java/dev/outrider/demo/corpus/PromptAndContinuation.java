package dev.outrider.demo.corpus;

/// The two parts of a document.
record PromptAndContinuation(String prompt, String continuation) {}
