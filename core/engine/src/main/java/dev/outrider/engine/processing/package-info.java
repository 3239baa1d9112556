/// What is done to the target's logits before a policy makes a distribution of them.
@NullMarked
package dev.outrider.engine.processing;

import org.jspecify.annotations.NullMarked;
