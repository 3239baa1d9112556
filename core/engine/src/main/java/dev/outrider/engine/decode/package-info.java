/// The decode loop: propose, score, decide, commit, observe, for one sequence.
@NullMarked
package dev.outrider.engine.decode;

import org.jspecify.annotations.NullMarked;
