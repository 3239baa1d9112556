/// Tests of the package.
@NullMarked
package dev.outrider.drafter.lookup.datastore;

import org.jspecify.annotations.NullMarked;
