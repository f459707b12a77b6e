internal import Books

/// Unsaved lines, which are made again after what others wrote meanwhile.
struct Rebase {
    private let unsaved: [JournalEntry]
    /// What was there before the lines; what was not, they made.
    private let marks: Set<BookIdentity>
    private let entries: [ListKind: Set<String>]
    /// What is called otherwise now, as others took its name.
    private(set) var identities: [BookIdentity: BookIdentity] = [:]
    private var ids: [ListKind: [String: String]] = [.shelves: [:], .queries: [:]]
    private var steps: [Int: Int] = [:]

    /// The lines, on top of `kept`.
    init(of unsaved: [JournalEntry], from kept: UserDataState) {
        self.unsaved = unsaved
        marks = Set(unsaved.compactMap(\.subject.identity).filter { kept.marks[$0] != nil })
        entries = [
            .shelves: Set(kept.shelves.entries.map(\.id)), .queries: Set(kept.queries.entries.map(\.id)),
        ]
    }

    /// Makes the changes of the lines on top of `kept`, numbered after `sequence`.
    ///
    /// - Returns: The lines with what was before each of them now.
    mutating func lines(onto kept: inout UserDataState, after sequence: Int) -> [JournalEntry] {
        var lines: [JournalEntry] = []
        var reversing: Int?
        for var line in unsaved {
            if case .steps = line.subject { reversing = line.step }
            rename(&line, in: kept, isReversing: reversing == line.step)
            let current = kept[line.subject]
            // Of what is done backwards, what others changed since stays as they want it.
            if reversing == line.step, line.subject.changes, !line.old.isSame(as: current) { continue }
            if case .entry(_, _, let field) = line.subject, field != .existence, current == .nothing { continue }
            line.old = current
            line.sequence = sequence + lines.count + 1
            let step = steps[line.step] ?? line.sequence
            steps[line.step] = step
            line.step = step
            lines.append(line)
            kept.apply(line)
        }
        return lines
    }

    private mutating func rename(_ line: inout JournalEntry, in kept: UserDataState, isReversing: Bool) {
        switch line.subject {
        case .mark(var identity, var field):
            if identities[identity] == nil, !marks.contains(identity), let keys = line.book?.keys,
                let held = kept.marks[identity], held.keys != keys
            {
                var free = identity
                repeat { free.occurrence += 1 } while kept.marks[free] != nil
                identities[identity] = free
            }
            identity = identities[identity] ?? identity
            if case .shelf(let id) = field { field = .shelf(ids[.shelves]?[id] ?? id) }
            line.subject = .mark(identity, field)
        case .entry(let kind, var id, let field):
            let list = kept[kind]
            if case .entry = line.value, !isReversing, ids[kind]?[id] == nil, list.index(of: id) != nil,
                entries[kind]?.contains(id) == false
            {
                ids[kind]?[id] = "\(id.prefix(1))\(list.lastNumber + 1)"
            }
            id = ids[kind]?[id] ?? id
            line.subject = .entry(kind, id, field)
            if case .entry(var entry) = line.value {
                // A new one comes behind the others.
                if !isReversing { entry.index = list.entries.count }
                entry.name = list.freeName(for: entry.name, id: id)
                line.value = .entry(entry)
            } else if case .text(let name) = line.value, field == .name {
                line.value = .text(list.freeName(for: name, id: id))
            }
        case .steps:
            if case .steps(let steps) = line.value { line.value = .steps(steps.map { self.steps[$0] ?? $0 }) }
        }
    }
}

extension LineSubject {
    /// Whether a line about it changes anything by itself.
    var changes: Bool { if case .steps = self { false } else { true } }
}

extension LineValue {
    /// Whether it is the same but for its place in a list, which changes with that of others.
    func isSame(as other: LineValue) -> Bool {
        guard case .entry(var entry) = self, case .entry(let another) = other else { return self == other }
        entry.index = another.index
        return entry == another
    }
}
