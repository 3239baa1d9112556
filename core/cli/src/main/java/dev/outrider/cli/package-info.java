/// The command line: one class a command, the Guice composition root, and nothing else.
///
/// The only package that prints, reads the clock, or knows Guice.
@NullMarked
package dev.outrider.cli;

import org.jspecify.annotations.NullMarked;
