/// Tests of the package of the same name.
@NullMarked
package dev.outrider.experiment.config;

import org.jspecify.annotations.NullMarked;
