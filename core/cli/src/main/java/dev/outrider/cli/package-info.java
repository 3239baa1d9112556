/// The command line: a class for each command, and [dev.outrider.cli.CommandContext], which is an argument of every command's
/// constructor.
///
/// The only package that prints, reads the clock, or uses picocli.
@NullMarked
package dev.outrider.cli;

import org.jspecify.annotations.NullMarked;
