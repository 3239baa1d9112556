package dev.outrider.treeverify.verdict;

import dev.outrider.treeverify.verdict.PlainTruncation.Kept;
import java.util.List;
import java.util.stream.IntStream;

/// The twin keeps what the policy keeps.
class PlainTruncationTest extends TruncationContract {
    @Override
    List<Kept> kept(VerdictRequest request, float[] logits) {
        return of(request, logits);
    }

    static List<Kept> of(VerdictRequest request, float[] logits) {
        return IntStream.range(0, request.rows())
                .mapToObj(row ->
                        PlainTruncation.of(
                                request,
                                logits,
                                row,
                                PlainVerdicts.statistics(
                                        logits,
                                        row,
                                        request.vocabulary(),
                                        request.inverseTemperature())))
                .toList();
    }
}
