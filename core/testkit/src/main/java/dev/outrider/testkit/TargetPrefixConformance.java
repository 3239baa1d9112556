package dev.outrider.testkit;

import static dev.outrider.testkit.Expect.assertThat;
import static dev.outrider.testkit.Expect.assumeTrue;

import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.PrefixSharing;
import dev.outrider.spi.target.PrefixSharing.KeptPrompts;
import dev.outrider.spi.target.PrefixSharing.Reading;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel.ScoreRequest;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// Checks of sequences that begin with rows of a prompt that was read before: they are as if they had read it, to the last bit.
abstract class TargetPrefixConformance extends TargetPassConformance {
    private static final long MUCH = 1L << 28;

    @Check
    void sequencesThatBeginWithAKeptPromptAreAsIfTheyHadReadIt() {
        var cases = cases();
        keep(0).close(); // Skips the check where nothing is kept.
        for (int trial = 0; trial < TRIALS; trial++) {
            int[] prompt = cases.tokens(1 + cases.below(24));
            var texts = new ArrayList<int[]>();
            for (int text = 0; text < 3; text++) {
                int[] common = Arrays.copyOf(prompt, 1 + cases.below(prompt.length));
                texts.add(join(common, cases.tokens(cases.below(6))));
            }
            texts.add(prompt);
            var trees = texts.stream().map(_ -> cases.tree(6)).toList();
            var expected = run(texts, trees);
            var kept = keep(MUCH);
            try {
                assertThat(kept.read(prompt)).isEqualTo(Reading.READ);
                assertThat(kept.read(prompt)).isEqualTo(Reading.KNOWN);
                assertThat(kept.bytes()).isGreaterThan(0);
                assertThat(run(texts, trees)).as(cases.replay()).isEqualTo(expected);
                assertThat(run(texts, trees)).as(cases.replay()).isEqualTo(expected);
            } finally {
                kept.close();
            }
        }
    }

    @Check
    void aSequenceOutlivesThePromptThatItBeganWith() {
        var cases = cases();
        int[] prompt = cases.tokens(9);
        var kept = keep(MUCH);
        kept.read(prompt);
        try (var session = target().open(withStates());
                var states = session.prefill(prompt)) {
            var before = numbers(states);
            kept.close();
            kept.close();
            assertThat(kept.bytes()).isEqualTo(0L);
            assertThat(kept.read(prompt)).isEqualTo(Reading.REFUSED);
            assertThat(numbers(states)).isEqualTo(before);
            assertNext(session, prompt, cases);
        }
    }

    @Check
    void promptsBeyondTheMemoryAreForgottenOrRefused() {
        int[] first = {0, 0, 0};
        int[] second = {1, 0, 0};
        long each;
        try (var kept = keep(MUCH)) {
            kept.read(first);
            each = kept.bytes();
        }
        try (var kept = keep(2 * each - 1)) {
            assertThat(kept.read(first)).isEqualTo(Reading.READ);
            assertThat(kept.read(second)).isEqualTo(Reading.READ);
            assertThat(kept.bytes()).isEqualTo(each);
            assertThat(kept.read(first)).isEqualTo(Reading.READ);
            assertThat(kept.read(new int[0])).isEqualTo(Reading.REFUSED);
            assertThat(kept.read(new int[6])).isEqualTo(Reading.REFUSED);
        }
        throwing(IllegalArgumentException.class, () -> keep(-1));
    }

    private KeptPrompts keep(long bytes) {
        var sharing = target().capability(PrefixSharing.class);
        assumeTrue(sharing.isPresent(), "every sequence reads its prompt");
        return sharing.orElseThrow().keep(bytes, states());
    }

    private Set<HiddenState> states() {
        int layers = target().description().layers();
        return Set.of(
                new HiddenState.AfterLayer(0),
                new HiddenState.AfterLayer(layers),
                new HiddenState.AfterFinalNorm());
    }

    private SessionRequest withStates() {
        return new SessionRequest(CAPACITY, states());
    }

    /// States of prompts, then scores of trees after them and of one more token, all sequences in one pass.
    private List<List<List<Float>>> run(List<int[]> texts, List<TokenTree> trees) {
        var numbers = new ArrayList<List<List<Float>>>();
        var sessions = new ArrayList<TargetSession>();
        try {
            var requests = new ArrayList<ScoreRequest>();
            for (int text = 0; text < texts.size(); text++) {
                sessions.add(target().open(withStates()));
                try (var states = sessions.getLast().prefill(texts.get(text))) {
                    numbers.add(numbers(states));
                }
                requests.add(new ScoreRequest(sessions.getLast(), trees.get(text)));
            }
            for (int round = 0; round < 2; round++) {
                target().scoreAll(requests)
                        .forEach(scores -> {
                            try (scores) {
                                numbers.add(numbers(scores));
                                for (int node = 0; node < scores.size(); node++) {
                                    numbers.add(List.of(list(row(scores, node))));
                                }
                            }
                        });
                for (var request : requests) {
                    request.session().commit(verdict(request.tree(), request.tree().size() - 1));
                }
            }
            return numbers;
        } finally {
            sessions.reversed().forEach(TargetSession::close);
        }
    }

    private List<List<Float>> numbers(HiddenStates states) {
        var numbers = new ArrayList<List<Float>>();
        for (int index = 0; index < states.size(); index++) {
            for (var which : states()) {
                numbers.add(list(states.hidden(which, index).toArray(ValueLayout.JAVA_FLOAT)));
            }
        }
        return numbers;
    }

    private static List<Float> list(float[] numbers) {
        var list = new ArrayList<Float>();
        for (float number : numbers) {
            list.add(number);
        }
        return list;
    }
}
