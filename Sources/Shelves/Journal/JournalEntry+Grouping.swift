extension [JournalEntry] {
    /// Puts the changes of each field in the last step side by side, so that they share a line of the journal. Changes
    /// of different fields do not depend on each other; the first line, which names the step, stays first.
    mutating func groupLastStepByField() {
        guard let step = last?.step else { return }
        let start = lastIndex { $0.step != step }.map { $0 + 1 } ?? 0
        if self[start...].areGroupedByField { return }
        var groups: [[JournalEntry]] = []
        var numbers: [UserDataField?: Int] = [:]
        for entry in self[start...] {
            let field = entry.subject.field
            if let number = numbers[field] {
                groups[number].append(entry)
            } else {
                numbers[field] = groups.count
                groups.append([entry])
            }
        }
        for (index, entry) in groups.joined().enumerated() {
            self[start + index] = entry
            self[start + index].sequence = step + index
        }
    }
}

extension ArraySlice<JournalEntry> {
    /// Whether the changes of each field stand side by side.
    fileprivate var areGroupedByField: Bool {
        var fields: Set<UserDataField?> = []
        var last: UserDataField??
        for index in indices {
            let field = self[index].subject.field
            if field != last, !fields.insert(field).inserted { return false }
            last = field
        }
        return true
    }
}
