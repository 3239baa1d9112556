/// Processing of the target's logits before a policy turns them into a distribution.
@NullMarked
package dev.outrider.engine.processing;

import org.jspecify.annotations.NullMarked;
