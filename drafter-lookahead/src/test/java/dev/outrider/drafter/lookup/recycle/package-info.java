/// Tests of the package.
@NullMarked
package dev.outrider.drafter.lookup.recycle;

import org.jspecify.annotations.NullMarked;
