/// Drafts without a draft model, from the target's own passes: lookahead decoding and Jacobi decoding.
@NullMarked
package dev.outrider.drafter.lookahead;

import org.jspecify.annotations.NullMarked;
