/// The verdict on the device: softmax statistics, truncation, draws and the acceptance walk, so that ids come
/// back from the device instead of logits. Three rules: greedy, one-hot and rejection along a chain.
///
/// The host supplies the uniforms, from the same streams and at the same nodes as the engine's rules, so a verdict
/// is the one the engine's rule reaches. Only where a uniform lies within the rounding of 32-bit floats of a
/// threshold, about once in a million decisions, may another token follow.
@NullMarked
package dev.outrider.treeverify.verdict;

import org.jspecify.annotations.NullMarked;
