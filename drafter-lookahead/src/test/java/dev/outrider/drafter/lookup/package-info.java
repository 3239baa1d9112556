/// Tests of the package.
@NullMarked
package dev.outrider.drafter.lookup;

import org.jspecify.annotations.NullMarked;
