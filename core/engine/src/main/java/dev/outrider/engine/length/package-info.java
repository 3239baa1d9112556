/// How many tokens to draft: fixed, adaptive, and the heuristic of Hugging Face Transformers.
@NullMarked
package dev.outrider.engine.length;

import org.jspecify.annotations.NullMarked;
