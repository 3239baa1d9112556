/// A seeded generator of varied English task text, and the held-out prompts drawn from it.
///
/// Everything is a pure function of a seed: the same seed gives the same documents, byte for byte, on every machine.
/// Nothing here knows a model or a tokenizer; a document is a prompt and its continuation in plain text.
@NullMarked
package dev.outrider.demo.corpus;

import org.jspecify.annotations.NullMarked;
