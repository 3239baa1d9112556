/// Tests of lookahead and Jacobi decoding.
@NullMarked
package dev.outrider.drafter.lookahead;

import org.jspecify.annotations.NullMarked;
