/// Tests of drafters that are their target.
@NullMarked
package dev.outrider.drafter.self;

import org.jspecify.annotations.NullMarked;
