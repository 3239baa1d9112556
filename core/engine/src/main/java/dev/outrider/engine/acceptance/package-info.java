/// Acceptance rules: which draft tokens are kept, and what follows them. One file a paper.
@NullMarked
package dev.outrider.engine.acceptance;

import org.jspecify.annotations.NullMarked;
