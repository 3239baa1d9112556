/// What drafters share that put other drafters to use.
@NullMarked
package dev.outrider.drafter.ensemble;

import org.jspecify.annotations.NullMarked;
