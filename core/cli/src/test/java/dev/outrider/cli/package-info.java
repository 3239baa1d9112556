/// Tests of the commands, which run as a user runs them, in this process.
@NullMarked
package dev.outrider.cli;

import org.jspecify.annotations.NullMarked;
