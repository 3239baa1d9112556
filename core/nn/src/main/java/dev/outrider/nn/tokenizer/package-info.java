/// Tokenizers in the Hugging Face `tokenizer.json` format: loading, streaming, training.
@NullMarked
package dev.outrider.nn.tokenizer;

import org.jspecify.annotations.NullMarked;
