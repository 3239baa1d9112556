package dev.outrider.training.data;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.data.DataConfig.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;

/// Documents drawn from sources in proportion to their weights, without end. Confined.
final class Mixture {
    private final List<DataSource> sources;
    private final Split split;
    private final SplittableRandom random;
    private final List<ShuffledDocuments> documents = new ArrayList<>();
    private final double[] weights;

    /// @param seed of the order
    Mixture(List<DataSource> sources, Split split, long seed) {
        this.sources = sources;
        this.split = split;
        random = new SplittableRandom(seed);
        sources.forEach(
                source -> documents.add(new ShuffledDocuments(source, split, random.nextLong())));
        weights = sources.stream().mapToDouble(source -> source.config().weight()).toArray();
    }

    /// Returns the next document. A source that is too small to have a validation document is left out of the validation.
    ///
    /// @throws OutriderException `DATA_INVALID` if a source has nothing to learn, or no source has anything to validate with
    Document next() {
        while (true) {
            int source = drawn();
            try {
                return documents.get(source).next();
            } catch (NoSuchElementException e) {
                if (!split.validation()) {
                    throw nothing(
                            "source %d of %d has no document to learn"
                                    .formatted(source + 1, sources.size()),
                            "Lower");
                }
                weights[source] = 0;
            }
        }
    }

    private int drawn() {
        double all = 0;
        int last = -1;
        for (int i = 0; i < weights.length; i++) {
            all += weights[i];
            last = weights[i] > 0 ? i : last;
        }
        if (last < 0) {
            throw nothing("no source has a document to validate with", "Raise");
        }
        double left = random.nextDouble() * all;
        for (int i = 0; i < last; i++) {
            left -= weights[i];
            if (left < 0) {
                return i;
            }
        }
        return last;
    }

    private OutriderException nothing(String problem, String change) {
        return ErrorCode.DATA_INVALID.error(
                problem,
                "%s 'data.validation', which is %s, or give more text."
                        .formatted(change, split.share()));
    }
}
