/// One experiment from its configuration to its folder of results.
@NullMarked
package dev.outrider.experiment.bench;

import org.jspecify.annotations.NullMarked;
