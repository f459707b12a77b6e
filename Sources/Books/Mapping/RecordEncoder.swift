public import JSON

// The encoder writes a book back in the shape of its original record. It tries the encodings closest to the original
// one after another, and accepts the first that reads back as the intended value and changes no other field.

extension FieldMapping {
    /// Returns the record that describes `book`, based on `original`: unchanged fields are left as they are, changed
    /// ones are written at the same path and in the same form, and everything else keeps its order.
    ///
    /// A value that cannot be expressed stays unchanged: a field without a path, a value that another field shares, an
    /// empty value that a default would fill, or a non-fiction book with subjects that say fiction. `otherFields` are
    /// not written.
    ///
    /// - Parameters:
    ///   - fields: The fields that are written, which alone `book` needs; all if nil.
    ///   - examples: Other records of the catalog. Values keep the JSON types that these have; one that does not fit
    ///     stays unchanged.
    public func record(
        of book: Book, in original: JSONValue = .object([]), writing fields: Set<BookField>? = nil,
        like examples: RecordExamples? = nil
    ) -> JSONValue {
        var record = original
        for field in inWritingOrder(fields) {
            let target = field.value(in: book)
            if isIdentical(field, target, in: record) { continue }
            let writer = RecordWriter(
                mapping: self, book: book, fields: fields, record: record, examples: examples)
            record = writer.record(with: target, as: field) ?? record
        }
        return record
    }

    /// Returns these fields in the order in which they are written; all fields if nil.
    public func inWritingOrder(_ fields: Set<BookField>? = nil) -> [BookField] {
        guard let fields else { return Self.writingOrder + own }
        // Most changes are of one field, in many records.
        return fields.count < 2 ? Array(fields) : (Self.writingOrder + own).filter(fields.contains)
    }

    /// The key comes first, as it may contain an identifier.
    private static let writingOrder: [BookField] = [.sourceID] + BookField.builtIn.filter { $0 != .sourceID }

    /// Whether `record` gives `field` the value that it has in `book`; an ISBN may be spelled differently.
    public func matches(_ field: BookField, of book: Book, in record: JSONValue) -> Bool {
        let target = field.value(in: book)
        if isIdentical(field, target, in: record) { return true }
        return target.flatMap { value(of: field, in: record)?.isEquivalent(to: $0) } ?? false
    }

    private func isIdentical(_ field: BookField, _ target: FieldValue?, in record: JSONValue) -> Bool {
        let value = value(of: field, in: record)
        guard let target else { return value == nil }
        return value?.isIdentical(to: target) ?? false
    }
}

/// Writes one field of a book into a record.
private struct RecordWriter {
    let mapping: FieldMapping
    let book: Book
    /// The fields that are written; all if nil.
    let fields: Set<BookField>?
    /// The record before the change.
    let record: JSONValue
    let examples: RecordExamples?

    /// Returns the record with `field` set to `target`, or nil if the mapping cannot express it.
    func record(with target: FieldValue?, as field: BookField) -> JSONValue? {
        guard let rule = mapping.rules[field] else { return nil }
        if field.gathers { return gathered(target, as: field, rule) }
        guard let target else { return emptied(field, rule) }
        for index in ranked(rule.candidates, for: field, target) {
            for changed in attempts(at: target, of: field, index, rule.candidates, in: record)
            where isRight(changed, target, field) {
                return field == .isbn ? withOtherISBNs(rule, except: index, in: changed) : changed
            }
        }
        return nil
    }

    /// Whether `changed` has the target value in `field`, and every other field has either its previous or its intended
    /// value.
    private func isRight(_ changed: JSONValue, _ target: FieldValue?, _ field: BookField) -> Bool {
        let value = mapping.value(of: field, in: changed)
        guard value == target || target.flatMap({ value?.isEquivalent(to: $0) }) == true else { return false }
        return isHarmless(changed, except: field)
    }

    private func isHarmless(_ changed: JSONValue, except field: BookField) -> Bool {
        if let examples, examples.keepsTypes, examples.kindsMissed(by: changed, insteadOf: record) != nil {
            return false
        }
        let keys = record.keysOfDifferences(from: changed)
        return mapping.rules.allSatisfy { other, rule in
            // Nearly all fields are elsewhere in the record, and reading them would take most of the time.
            if other == field || !rule.candidates.contains(where: { $0.path.leads(through: keys) }) { return true }
            let value = mapping.value(of: other, in: changed)
            if value == mapping.value(of: other, in: record) { return true }
            return fields?.contains(other) != false && value == other.value(in: book)
        }
    }

    /// Returns the numbers of the candidates in the order to try: first those that hold a readable value, then empty
    /// ones, those that most other records fill first and those for ISBNs of another length last, then those with an
    /// unreadable value.
    private func ranked(
        _ candidates: [FieldMapping.Candidate], for field: BookField, _ target: FieldValue
    ) -> [Int] {
        func rank(_ candidate: FieldMapping.Candidate) -> Int {
            guard let raw = candidate.path.value(in: record), !raw.isBlank else { return 1 }
            return candidate.value(of: field, in: raw) != nil ? 0 : 2
        }
        let ranks = candidates.map(rank)
        let counts = examples?.counts(of: field, at: candidates) ?? candidates.map { _ in 0 }
        var misfits = candidates.map { _ in 0 }
        if case .isbn(let isbn) = target {
            misfits = candidates.map { ($0.isbnLength ?? isbn.length) == isbn.length ? 0 : 1 }
        }
        // Paths of other fields are not named after a length, and looking for it takes long.
        let hasLengths = field == .isbn || field == .identifiers
        // Programs that read the catalog do not know a path that no other record uses.
        let isUsed = counts.contains { $0 > 0 }
        let usual = candidates.indices.filter { index in
            ranks[index] != 1 || !isUsed || counts[index] > 0 || hasLengths && candidates[index].isbnLength != nil
        }
        return usual.sorted { one, other in
            if ranks[one] != ranks[other] { return ranks[one] < ranks[other] }
            if ranks[one] == 1, misfits[one] != misfits[other] { return misfits[one] < misfits[other] }
            return ranks[one] == 1 && counts[one] != counts[other] ? counts[one] > counts[other] : one < other
        }
    }

    // MARK: Single values

    private func attempts(
        at target: FieldValue, of field: BookField, _ index: Int, _ candidates: [FieldMapping.Candidate],
        in record: JSONValue
    ) -> [JSONValue] {
        let candidate = candidates[index]
        let found = candidate.path.found(in: record)
        let forms = ValueEncodings(field: field, candidate: candidate)
        func example(isList: Bool) -> JSONValue? {
            examples?.example(of: field, at: index, among: candidates, isList: isList)
        }
        if case .list(let items) = target {
            let current = found.isMany ? JSONValue.array(found.values) : found.values.first
            let raw = current.flatMap { $0.isBlank ? nil : $0 } ?? example(isList: true) ?? current
            return forms.ofList(items, like: raw).map { candidate.path.setting($0, in: record) }
        }
        let raw = found.values.first { !$0.isBlank } ?? example(isList: false) ?? found.values.first
        return forms.ofOne(target, like: raw).map { candidate.path.settingFirst($0, in: record) }
    }

    /// Returns the record with the ISBN also updated in its other length, if the record had the previous ISBN there.
    private func withOtherISBNs(_ rule: FieldMapping.Rule, except written: Int, in record: JSONValue) -> JSONValue {
        guard case .isbn(let old)? = mapping.value(of: .isbn, in: self.record), old.isValid,
            let target = BookField.isbn.value(in: book)
        else { return record }
        var result = record
        for (index, candidate) in rule.candidates.enumerated() where index != written && candidate.isbnLength != nil {
            guard case .isbn(let other)? = mapping.value(of: .isbn, at: candidate, in: result),
                other.number == old.number
            else { continue }
            let attempts =
                attempts(at: target, of: .isbn, index, rule.candidates, in: result)
                + emptied(.isbn, candidate, in: result)
            result = attempts.first { isRight($0, target, .isbn) } ?? result
        }
        return result
    }

    // MARK: Removing values

    /// Returns the record without the field, removed from every candidate that can read it.
    private func emptied(_ field: BookField, _ rule: FieldMapping.Rule) -> JSONValue? {
        var result = record
        for candidate in rule.candidates where mapping.value(of: field, at: candidate, in: result) != nil {
            let empty = emptied(field, candidate, in: result).first { changed in
                mapping.value(of: field, at: candidate, in: changed) == nil && isHarmless(changed, except: field)
            }
            result = empty ?? result
        }
        return mapping.value(of: field, in: result) == nil ? result : nil
    }

    private func emptied(
        _ field: BookField, _ candidate: FieldMapping.Candidate, in record: JSONValue
    ) -> [JSONValue] {
        let found = candidate.path.found(in: record)
        var attempts: [JSONValue] = []
        // Elements and members that this field cannot read belong to other fields.
        if !found.isMany, case .array(let elements)? = found.values.first {
            let rest = elements.filter { candidate.value(of: field, in: $0) == nil }
            if !rest.isEmpty { attempts.append(candidate.path.setting(.array(rest), in: record)) }
        }
        if !found.isMany, field.gathers, case .object(let members)? = found.values.first {
            let rest = members.filter { candidate.value(of: field, in: .object([$0])) == nil }
            if !rest.isEmpty { attempts.append(candidate.path.setting(.object(rest), in: record)) }
        }
        // Elements of a list are meaningless without their names, so they are dropped; elements that another field
        // reads stay.
        let dropped = candidate.path.setting(.array([]), in: record)
        let removed = candidate.path.removing(in: record)
        if found.isMany { return attempts + (field.isList ? [dropped, removed] : [removed, dropped]) }
        // If the element were removed, the next one would move to its index.
        return attempts + [removed, candidate.path.setting(.null, in: record)]
    }

    // MARK: Gathered values

    /// Assigns each item to its previous candidate, else to the one for its role or scheme, else to the first untagged
    /// one.
    private func gathered(_ target: FieldValue?, as field: BookField, _ rule: FieldMapping.Rule) -> JSONValue? {
        var wanted: [FieldValue.Item] = []
        if case .list(let items)? = target { wanted = items }
        let candidates = rule.candidates
        var old = candidates.map { mapping.items(of: field, at: $0, in: record) }
        let before = old
        var shares = candidates.map { _ in [FieldValue.Item]() }
        for item in wanted {
            let position =
                old.firstIndex { $0.contains(item) } ?? candidates.firstIndex { $0.tag != nil && $0.tag == item.tag }
                ?? candidates.firstIndex { $0.tag == nil } ?? 0
            guard shares.indices.contains(position) else { return nil }
            if let index = old[position].firstIndex(of: item) { old[position].remove(at: index) }
            shares[position].append(item)
        }
        var result = record
        for (index, candidate) in candidates.enumerated() where shares[index] != before[index] {
            let share = shares[index]
            let attempts =
                share.isEmpty
                ? emptied(field, candidate, in: result)
                : self.attempts(at: .list(share), of: field, index, candidates, in: result)
            let right = attempts.first { changed in
                mapping.items(of: field, at: candidate, in: changed) == share && isHarmless(changed, except: field)
            }
            guard let right else { return nil }
            result = right
        }
        return isRight(result, target, field) ? result : nil
    }
}

extension JSONValue {
    /// Returns the keys of the members that differ from those of `other`; nil if they are not both objects.
    fileprivate func keysOfDifferences(from other: JSONValue) -> [String]? {
        guard case .object(let members) = self, case .object(let others) = other else { return nil }
        var (start, end, otherEnd) = (0, members.count, others.count)
        while start < min(end, otherEnd), members[start] == others[start] { start += 1 }
        while end > start, otherEnd > start, members[end - 1] == others[otherEnd - 1] {
            (end, otherEnd) = (end - 1, otherEnd - 1)
        }
        return members[start..<end].map(\.key) + others[start..<otherEnd].map(\.key)
    }
}

extension FieldPath {
    /// Whether the path can lead through a member of the root value with one of these keys; any if nil.
    fileprivate func leads(through keys: [String]?) -> Bool {
        guard let keys else { return true }
        switch steps.first {
        case .name(let name)?: return keys.contains(name)
        case .index(let index)?: return keys.contains(String(index))
        case .every?, .filter?, nil: return true
        }
    }
}
