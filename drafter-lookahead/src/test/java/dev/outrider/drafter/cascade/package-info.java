/// Tests of the package.
@NullMarked
package dev.outrider.drafter.cascade;

import org.jspecify.annotations.NullMarked;
