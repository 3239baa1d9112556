/// Tests of the drafting machinery against naive twins, on a network that is a function of the token path.
@NullMarked
package dev.outrider.drafting;

import org.jspecify.annotations.NullMarked;
