package dev.outrider.demo.corpus;

/// What a writer of pairs returns; the source without its task.
record SourceAndAnswer(String source, String answer) {}
