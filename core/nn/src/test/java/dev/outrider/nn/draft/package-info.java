/// Tests of the drafting machinery against naive twins, on a network that is a function of the token path.
@NullMarked
package dev.outrider.nn.draft;

import org.jspecify.annotations.NullMarked;
