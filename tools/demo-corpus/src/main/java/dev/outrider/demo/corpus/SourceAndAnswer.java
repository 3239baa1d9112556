package dev.outrider.demo.corpus;

/// A source without its task, and its answer.
record SourceAndAnswer(String source, String answer) {}
