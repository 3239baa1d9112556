/// Tests of the package.
@NullMarked
package dev.outrider.drafter.lookup.suffix;

import org.jspecify.annotations.NullMarked;
