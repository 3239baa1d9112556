/// Tests of the package.
@NullMarked
package dev.outrider.drafter.lookup.rank;

import org.jspecify.annotations.NullMarked;
