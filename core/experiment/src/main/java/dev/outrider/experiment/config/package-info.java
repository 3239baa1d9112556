/// The schema of an experiment file: target, prompts, sampling, and the variants to compare with plain decoding.
@NullMarked
package dev.outrider.experiment.config;

import org.jspecify.annotations.NullMarked;
