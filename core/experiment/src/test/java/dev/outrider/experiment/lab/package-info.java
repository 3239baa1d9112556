@NullMarked
package dev.outrider.experiment.lab;

import org.jspecify.annotations.NullMarked;
