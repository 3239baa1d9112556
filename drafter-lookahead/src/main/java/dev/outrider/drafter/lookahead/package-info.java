/// Drafters without a draft model: lookahead, Jacobi and lookup.
@NullMarked
package dev.outrider.drafter.lookahead;

import org.jspecify.annotations.NullMarked;
