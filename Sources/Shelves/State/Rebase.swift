internal import Books

/// Applies unsaved lines again after the lines that others have written meanwhile.
struct Rebase {
    private let unsaved: [JournalEntry]
    /// The identities and ids that existed before the unsaved lines; all others were created by them.
    private let known: Set<BookIdentity>
    private let entries: [ListKind: Set<String>]
    /// The new identities of user data whose intended identities other processes took.
    private(set) var identities: [BookIdentity: BookIdentity] = [:]
    private var ids: [ListKind: [String: String]] = [.shelves: [:], .queries: [:]]
    private var steps: [Int: Int] = [:]

    /// Creates a rebase of `unsaved`; `state` is the state before these lines.
    init(of unsaved: [JournalEntry], from state: UserDataState) {
        self.unsaved = unsaved
        known = Set(unsaved.compactMap(\.subject.identity).filter { state.books[$0] != nil })
        entries = [
            .shelves: Set(state.shelves.entries.map(\.id)), .queries: Set(state.queries.entries.map(\.id)),
        ]
    }

    /// Applies the lines to `state`, numbered after `sequence`.
    ///
    /// - Returns: The lines with their new previous values.
    mutating func lines(onto state: inout UserDataState, after sequence: Int) -> [JournalEntry] {
        var lines: [JournalEntry] = []
        var reversing: Int?
        for var line in unsaved {
            if case .steps = line.subject { reversing = line.step }
            rename(&line, in: state, isReversing: reversing == line.step)
            let current = state[line.subject]
            // An undo does not revert values that others have changed since.
            if reversing == line.step, line.subject.changes, !line.old.isSame(as: current) { continue }
            if case .entry(_, _, let field) = line.subject, field != .existence, current == .nothing { continue }
            if case .status(let status, let log) = line.value, line.old != current {
                // Readings that others have entered meanwhile stay.
                line.value = LineValue(
                    status, current.readingLog.applying(changesFrom: line.old.readingLog, to: log))
            }
            line.old = current
            line.sequence = sequence + lines.count + 1
            let step = steps[line.step] ?? line.sequence
            steps[line.step] = step
            line.step = step
            lines.append(line)
            state.apply(line)
        }
        return lines
    }

    private mutating func rename(_ line: inout JournalEntry, in state: UserDataState, isReversing: Bool) {
        switch line.subject {
        case .book(var identity, var field):
            if identities[identity] == nil, !known.contains(identity), let keys = line.book?.keys,
                let held = state.books[identity], held.keys != keys
            {
                var free = identity
                repeat { free.occurrence += 1 } while state.books[free] != nil
                identities[identity] = free
            }
            identity = identities[identity] ?? identity
            if case .shelf(let id) = field { field = .shelf(ids[.shelves]?[id] ?? id) }
            line.subject = .book(identity, field)
        case .entry(let kind, var id, let field):
            let list = state[kind]
            if case .entry = line.value, !isReversing, ids[kind]?[id] == nil, list.index(of: id) != nil,
                entries[kind]?.contains(id) == false
            {
                ids[kind]?[id] = "\(id.prefix(1))\(list.lastNumber + 1)"
            }
            id = ids[kind]?[id] ?? id
            line.subject = .entry(kind, id, field)
            if case .entry(var entry) = line.value {
                // A new entry comes after the others.
                if !isReversing { entry.index = list.entries.count }
                entry.name = list.freeName(for: entry.name, id: id)
                line.value = .entry(entry)
            } else if case .text(let name) = line.value, field == .name {
                line.value = .text(list.freeName(for: name, id: id))
            }
        case .steps:
            if case .steps(let steps) = line.value { line.value = .steps(steps.map { self.steps[$0] ?? $0 }) }
        case .goal, .edit: break
        }
    }
}

extension LineSubject {
    /// Whether earlier versions of the program do not know such lines.
    var isOfCurrentVersion: Bool {
        switch self {
        case .goal, .book(_, .distinction): true
        case .book, .entry, .steps, .edit: false
        }
    }

    /// Whether a line about it changes data.
    var changes: Bool {
        switch self {
        case .steps, .edit: false
        case .book, .entry, .goal: true
        }
    }
}

extension LineValue {
    /// The reading log of a status.
    fileprivate var readingLog: ReadingLog {
        if case .status(_, let log) = self { log } else { ReadingLog() }
    }

    /// Returns whether both values are equal, ignoring the index of an entry, which moves with other entries.
    func isSame(as other: LineValue) -> Bool {
        guard case .entry(var entry) = self, case .entry(let another) = other else { return self == other }
        entry.index = another.index
        return entry == another
    }
}
