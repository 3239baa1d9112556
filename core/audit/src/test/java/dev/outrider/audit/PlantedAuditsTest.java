package dev.outrider.audit;

import static dev.outrider.audit.PlantedTables.EVERYTHING;
import static dev.outrider.audit.PlantedTables.NUCLEUS;
import static dev.outrider.audit.PlantedTables.WARM;
import static dev.outrider.audit.PlantedTables.audit;
import static dev.outrider.audit.PlantedTables.namedFirst;
import static dev.outrider.audit.PlantedTables.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.audit.Audit.Verdict;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Audits of planted faults over tables whose logits are as large as a language model's.
class PlantedAuditsTest {
    private static final double LEVEL = 1e-6;

    @ParameterizedTest
    @EnumSource(names = {"MIN_P_IGNORED", "ALWAYS_ACCEPT", "DRAFT_TOKENIZER", "INT4"})
    void aLargeFaultIsFoundAndNamed(Fault fault) {
        var found = audit(Set.of(fault), wanted(fault), LEVEL, 60, 1);
        assertThat(found.outcome().verdict()).isEqualTo(Verdict.DIFFERENT);
        assertThat(namedFirst(Set.of(fault), found)).isTrue();
    }

    @Test
    void twoFaultsAtOnceAreNamed() {
        var faults = EnumSet.of(Fault.ALWAYS_ACCEPT, Fault.INT4);
        var found = audit(faults, EVERYTHING, LEVEL, 60, 1000);
        assertThat(namedFirst(faults, found)).isTrue();
    }

    @Test
    void aFaultThatAnotherHidesIsInTheSameExplanation() {
        var faults = EnumSet.of(Fault.ALWAYS_ACCEPT, Fault.CORRECTION_FROM_P);
        var found = audit(faults, EVERYTHING, LEVEL, 60, 1000);
        assertThat(found.outcome().explanations().getFirst().alike())
                .contains("every draft accepted", "correction from p + every draft accepted");
    }

    @Tag("nightly")
    @ParameterizedTest
    @EnumSource
    void everyFaultIsFoundAndMostlyNamedFirst(Fault fault) {
        int rounds = 10;
        int requests = EnumSet.of(Fault.BF16, Fault.INT8).contains(fault) ? 1500 : 400;
        var found =
                IntStream.range(0, rounds)
                        .mapToObj(
                                seed -> audit(Set.of(fault), wanted(fault), LEVEL, requests, seed))
                        .toList();
        assertThat(found).allMatch(each -> each.outcome().verdict() == Verdict.DIFFERENT);
        assertThat(found)
                .filteredOn(each -> namedFirst(Set.of(fault), each))
                .hasSizeGreaterThanOrEqualTo(rounds - 1);
    }

    @Tag("nightly")
    @ParameterizedTest
    @EnumSource
    void everyPairIsFound(Fault fault) {
        // A server has one precision.
        boolean precision = EnumSet.range(Fault.BF16, Fault.INT4).contains(fault);
        var other = precision ? Fault.ALWAYS_ACCEPT : Fault.values()[fault.ordinal() + 1];
        var found = audit(EnumSet.of(fault, other), EVERYTHING, LEVEL, 1500, fault.ordinal());
        assertThat(found.outcome().verdict()).isEqualTo(Verdict.DIFFERENT);
    }

    @Tag("nightly")
    @Test
    void correctSpeculationPasses() {
        int audits = 200;
        double level = .05;
        long alarms =
                IntStream.range(0, audits)
                        .filter(seed -> {
                            var wanted = List.of(WARM, NUCLEUS, EVERYTHING).get(seed % 3);
                            return audit(Set.of(), wanted, level, 20, seed).outcome().verdict()
                                    == Verdict.DIFFERENT;
                        })
                        .count();
        assertThat(alarms).isLessThanOrEqualTo((long) (2 * level * audits));
    }

    @Tag("nightly")
    @Test
    void everyDrafterWithEveryOperatorPasses() {
        long alarms = 0;
        int audits = 0;
        for (var sampler : CorrectSpeculation.samplers().values()) {
            var table = PlantedTables.table(audits, false);
            var draft = PlantedTables.table(audits, true);
            int tokens = PlantedTables.VOCABULARY;
            for (var drafter : CorrectSpeculation.drafters(draft, tokens).values()) {
                var found =
                        CorrectSpeculation.audit(table, draft, tokens, drafter, sampler, audits++);
                alarms += found.verdict() == Verdict.DIFFERENT ? 1 : 0;
            }
        }
        assertThat(alarms).isLessThanOrEqualTo(audits / 10);
    }
}
