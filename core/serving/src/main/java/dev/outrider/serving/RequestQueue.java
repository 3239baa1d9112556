package dev.outrider.serving;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Predicate;

/// Requests that wait, alone or in groups. Clients take turns; the groups of one client are in order. Guarded by the engine's lock.
final class RequestQueue {
    private final SequencedMap<String, ArrayDeque<ArrayDeque<Job>>> clients = new LinkedHashMap<>();

    /// Returns the number of groups with a waiting request.
    int groups() {
        return clients.values().stream().mapToInt(ArrayDeque::size).sum();
    }

    /// Requests that wait.
    int size() {
        return clients.values().stream()
                .flatMap(ArrayDeque::stream)
                .mapToInt(ArrayDeque::size)
                .sum();
    }

    /// Adds a group of one client.
    void add(List<Job> group) {
        clients.computeIfAbsent(group.getFirst().request().client(), _ -> new ArrayDeque<>())
                .addLast(new ArrayDeque<>(group));
    }

    /// Returns the request that is next: the oldest of the client that has waited longest for a turn.
    Optional<Job> peek() {
        return Optional.ofNullable(clients.firstEntry())
                .map(first -> first.getValue().getFirst().getFirst());
    }

    /// Takes the request that [#peek] returns; then it is the next client's turn.
    void remove() {
        var first = clients.pollFirstEntry();
        var groups = first.getValue();
        groups.getFirst().removeFirst();
        if (groups.getFirst().isEmpty()) {
            groups.removeFirst();
        }
        if (!groups.isEmpty()) {
            clients.putLast(first.getKey(), groups);
        }
    }

    /// Takes all requests that match. Each is tested once, because the answer may change meanwhile.
    List<Job> removeIf(Predicate<Job> unwanted) {
        var removed = new ArrayList<Job>();
        for (var groups : clients.values()) {
            groups.forEach(jobs -> jobs.removeIf(job -> unwanted.test(job) && removed.add(job)));
            groups.removeIf(ArrayDeque::isEmpty);
        }
        clients.values().removeIf(ArrayDeque::isEmpty);
        return removed;
    }
}
