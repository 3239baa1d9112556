/// The number of tokens to draft: fixed, the heuristic of Hugging Face Transformers, by expected gain (measured acceptance over measured
/// time, plain decoding included), and trees that are fitted during the run.
@NullMarked
package dev.outrider.engine.length;

import org.jspecify.annotations.NullMarked;
