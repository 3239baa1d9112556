/// Tests of the drafting machinery: they compare it with naive twins, on a network whose logits are a function of the token path.
@NullMarked
package dev.outrider.drafting;

import org.jspecify.annotations.NullMarked;
