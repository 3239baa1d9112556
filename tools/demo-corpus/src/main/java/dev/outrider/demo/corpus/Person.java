package dev.outrider.demo.corpus;

/// A person in a text, with pronouns.
///
/// @param name       a first name
/// @param subject    `she` or `he`
/// @param object     `her` or `him`
/// @param possessive `her` or `his`
record Person(String name, String subject, String object, String possessive) {
    static Person woman(String name) {
        return new Person(name, "she", "her", "her");
    }

    static Person man(String name) {
        return new Person(name, "he", "him", "his");
    }
}
