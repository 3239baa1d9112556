/// What the target says of texts that are written already.
@NullMarked
package dev.outrider.engine.scoring;

import org.jspecify.annotations.NullMarked;
