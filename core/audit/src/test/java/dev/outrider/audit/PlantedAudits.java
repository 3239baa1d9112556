package dev.outrider.audit;

import dev.outrider.audit.Audit.Explanation;
import dev.outrider.audit.Audit.Outcome;
import dev.outrider.audit.Audit.Weights;
import dev.outrider.audit.Hypotheses.Written;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.run.Prompt;
import dev.outrider.spi.target.TargetModel;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Audits of servers with planted faults.
///
/// @param target  that the server claims to serve
/// @param draft   its draft model
/// @param others  weights beside the target's that the audit knows
/// @param prompts of the audit
/// @param most    tokens of an answer
/// @param length  of drafts
record PlantedAudits(
        TargetModel target,
        TargetModel draft,
        List<Weights> others,
        List<Prompt> prompts,
        int most,
        int length) {
    private static final int OWN_TEXTS = 8;

    /// The result of an audit.
    ///
    /// @param requests that it sent
    record Found(Outcome outcome, int requests, Audit audit) {
        /// Returns the fault of the table that has the most evidence.
        Optional<String> named() {
            return outcome.explanations().stream()
                    .filter(Explanation::named)
                    .map(Explanation::name)
                    .findFirst();
        }

        /// Returns the place of the first explanation that has one of these names, from 1; 0 if none has.
        int place(Set<String> names) {
            var all = outcome.explanations();
            for (int index = 0; index < all.size(); index++) {
                if (all.get(index).alike().stream()
                        .flatMap(each -> Arrays.stream(each.split(" = ")))
                        .anyMatch(names::contains)) {
                    return index + 1;
                }
            }
            return 0;
        }
    }

    /// Audits until the audit is settled.
    ///
    /// @param server whose answers are compared with plain decoding of the target
    /// @param wanted of every request
    Found audit(PlantedDecoder server, Wanted wanted, Audit.Settings settings) {
        var plain = new PlantedDecoder(target, draft, length, EnumSet.noneOf(Fault.class));
        var texts =
                prompts.stream()
                        .limit(OWN_TEXTS)
                        .map(prompt ->
                                new Written(
                                        prompt,
                                        written(plain, prompt, wanted, false, -settings.seed())))
                        .toList();
        var audit =
                new Audit(
                        target,
                        new Setting(wanted.policy(), Optional.of(wanted.operators())),
                        ProcessorChain.none(),
                        others,
                        Optional.of(draft),
                        texts,
                        settings,
                        () -> false);
        int requests = 0;
        while (requests < settings.requests() && !audit.settled()) {
            var prompt = prompts.get(requests % prompts.size());
            int[] ids = written(server, prompt, wanted, true, settings.seed() + requests);
            requests++;
            audit.take(
                    new Answer(
                            "",
                            prompt.id(),
                            prompt.ids(),
                            Arrays.stream(ids).boxed().toList(),
                            false,
                            "",
                            ids.length < most ? "stop" : "length"));
        }
        return new Found(audit.outcome(true), requests, audit);
    }

    private int[] written(
            PlantedDecoder server, Prompt prompt, Wanted wanted, boolean speculative, long seed) {
        return server.write(
                        prompt.array(),
                        most,
                        wanted,
                        speculative,
                        target.description().endOfSequence(),
                        RandomnessSource.of(new KeyedRandomStreams(seed, prompt.id().hashCode())))
                .tokens();
    }
}
