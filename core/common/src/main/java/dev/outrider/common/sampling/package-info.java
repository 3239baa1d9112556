/// From logits to a distribution: softmax, top-k, top-p, min-p and penalties. The engine, drafters and targets share it.
@NullMarked
package dev.outrider.common.sampling;

import org.jspecify.annotations.NullMarked;
