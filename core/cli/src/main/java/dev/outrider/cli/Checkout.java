package dev.outrider.cli;

import java.nio.file.Path;

/// The folder Outrider was built in, where `configs/` and `models/` are.
record Checkout(Path root) {}
