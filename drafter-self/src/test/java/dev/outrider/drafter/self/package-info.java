/// Tests of drafters that are the target itself.
@NullMarked
package dev.outrider.drafter.self;

import org.jspecify.annotations.NullMarked;
