/// The command line: a class for each command, and [dev.outrider.cli.CommandContext], which every command is constructed with.
///
/// The only package that prints, reads the clock, or uses picocli.
@NullMarked
package dev.outrider.cli;

import org.jspecify.annotations.NullMarked;
