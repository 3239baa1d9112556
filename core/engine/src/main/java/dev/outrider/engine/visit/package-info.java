/// Which prefixes rounds visit: where a drafter really drew, rejected guesses included.
@NullMarked
package dev.outrider.engine.visit;

import org.jspecify.annotations.NullMarked;
