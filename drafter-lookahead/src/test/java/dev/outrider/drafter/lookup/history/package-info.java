/// Tests of the package.
@NullMarked
package dev.outrider.drafter.lookup.history;

import org.jspecify.annotations.NullMarked;
