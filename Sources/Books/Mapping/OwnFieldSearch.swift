public import JSON

extension FieldMapping {
    /// The greatest number of fields of its own that a catalog has; the values of further ones stand in the card only.
    public static let ownFieldLimit = 64

    /// Returns the fields that records have beside those that this mapping reads, in the order of their keys; the
    /// commonest, if there are too many. Linear in the sample.
    ///
    /// - Parameters:
    ///   - sample: Some records, in the form in which the mapping reads them.
    ///   - hidden: Paths of values that are not fields.
    public func ownFields(in sample: [JSONValue], except hidden: [FieldPath] = []) -> [BookField] {
        var search = OwnFieldSearch(self, hidden)
        for record in sample { search.add(record) }
        return search.fields(besides: own)
    }
}

/// Collects the values at the paths that no field reads.
private struct OwnFieldSearch {
    /// The values at a path.
    private struct Place {
        let steps: [String]
        /// The number of records with a value, and the first of the values.
        var count = 0
        var values: [JSONValue] = []
    }

    private var places: [Place] = []
    private var numbers: [[String]: Int] = [:]
    /// The paths that fields read, and those of their containers.
    private var read: Set<[String]> = []
    private var above: Set<[String]> = []

    /// The greatest number of paths that are looked at, of values of each, and of nested objects.
    private static let (placeLimit, valueLimit, depthLimit) = (1000, 400, 6)

    init(_ mapping: FieldMapping, _ hidden: [FieldPath]) {
        let paths = mapping.rules.values.flatMap { $0.candidates.map(\.path) } + mapping.ignored + hidden
        for path in paths {
            let names = path.leadingNames
            read.insert(names)
            for count in 0..<names.count { above.insert(Array(names.prefix(count))) }
        }
    }

    mutating func add(_ record: JSONValue) { add(record, at: []) }

    private mutating func add(_ value: JSONValue, at steps: [String]) {
        if !steps.isEmpty, read.contains(steps) { return }
        switch value {
        case .object(let members):
            guard steps.count < Self.depthLimit else { return }
            for member in members { add(member.value, at: steps + [member.key]) }
        case .array(let elements) where !elements.allSatisfy(\.isScalar): return
        case .array, .null, .boolean, .number, .string:
            if above.contains(steps) || steps.contains(where: \.isEmpty) { return }
            if numbers[steps] == nil {
                guard places.count < Self.placeLimit else { return }
                numbers[steps] = places.count
                places.append(Place(steps: steps))
            }
            // A key without a value may have one in other records.
            guard let number = numbers[steps], !value.isBlank else { return }
            places[number].count += 1
            if places[number].values.count < Self.valueLimit { places[number].values.append(value) }
        }
    }

    /// Returns the fields at these paths, named apart from `others` and from those of every book.
    func fields(besides others: [BookField]) -> [BookField] {
        let room = max(0, FieldMapping.ownFieldLimit - others.count)
        // A value may be null in one record and an object in another.
        let containers = Set(places.flatMap { place in (0..<place.steps.count).map { Array(place.steps.prefix($0)) } })
        let places = places.filter { $0.count > 0 || !containers.contains($0.steps) }
        let chosen = Set(places.indices.sorted { (places[$1].count, $0) < (places[$0].count, $1) }.prefix(room))
        var taken = OwnField.reservedKeys.union(others.map { OwnField.key(of: $0.id) })
        return places.indices.filter(chosen.contains).map { number in
            let place = places[number]
            let name = name(of: place.steps, besides: &taken)
            let values = OwnFieldValues(place.values)
            return BookField(
                OwnField(
                    name, label: OwnField.label(of: place.steps.last ?? name), values.kind,
                    at: FieldPath(steps: place.steps.map(FieldPath.Step.name)),
                    isInternal: values.areInternal(named: name), isFacet: values.areRepeated))
        }
    }

    /// Returns the last key as a name, or the whole path where that is taken; "own" is put before a key without another.
    private func name(of steps: [String], besides taken: inout Set<String>) -> String {
        let names = steps.map(OwnField.name).filter { !$0.isEmpty }
        let choices = [names.last ?? "", names.joined(separator: "."), (["own"] + names).joined(separator: ".")]
        for choice in choices where !choice.isEmpty && taken.insert(OwnField.key(of: choice)).inserted { return choice }
        var number = 2
        while !taken.insert(OwnField.key(of: "\(choices[2]).\(number)")).inserted { number += 1 }
        return "\(choices[2]).\(number)"
    }
}

extension OwnField {
    /// The keys of names that mean something else in queries, orders and edits.
    public static let reservedKeys: Set<String> = Set(
        BookField.builtIn.flatMap { [key(of: $0.id)] + $0.info.queryNames.map(key(of:)) }
            + [
                "is", "has", "on", "shelf", "read", "started", "readings", "mine", "favourite", "list", "letter",
                "decade",
            ])
}

/// The values of one path in a sample.
private struct OwnFieldValues {
    let values: [JSONValue]

    init(_ values: [JSONValue]) { self.values = values }

    /// The kind that fits at least 95 % of the values; text if none does.
    var kind: OwnField.Kind {
        if values.isEmpty { return .text }
        let lists = values.count { if case .array = $0 { true } else { false } }
        if lists * 20 >= values.count { return .list }
        let kinds: [OwnField.Kind] = [.boolean, .number, .date, .link]
        return kinds.first { kind in values.count { fits($0, kind) } * 100 >= values.count * 95 } ?? .text
    }

    private func fits(_ value: JSONValue, _ kind: OwnField.Kind) -> Bool {
        guard kind.value(of: value) != nil else { return false }
        guard kind == .date, case .string(let text) = value else { return kind != .date }
        return text.isWrittenDate
    }

    /// Whether the values are keys, checksums, links or long texts.
    func areInternal(named name: String) -> Bool {
        if kind == .link { return true }
        let texts = values.compactMap(\.text)
        guard !texts.isEmpty, kind == .text || kind == .number else { return false }
        let areDistinct = Set(texts).count == texts.count
        let length = texts.reduce(0) { $0 + $1.utf8.count } / texts.count
        if kind == .text, length > 200 { return true }
        if areDistinct, texts.count > 1, name == "id" || name.hasSuffix("-id") || name.hasSuffix(".id") { return true }
        return kind == .text && areDistinct && length >= 20 && texts.allSatisfy { !$0.contains(" ") }
    }

    /// Whether several books have the same value, or too few values are known to say.
    var areRepeated: Bool {
        values.count < 20 || Set(values).count * 10 <= values.count * 9
    }
}

extension String {
    /// Whether the text is a date in numbers: "2024-03-12", with or without a time, or "12.3.2024".
    fileprivate var isWrittenDate: Bool {
        let text = Array(utf8.prefix(40))
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        let digits = text.prefix(while: isDigit).count
        if digits == 4, text.count >= 7, text[4] == UInt8(ascii: "-"), isDigit(text[5]) { return text.count <= 35 }
        guard (1...2).contains(digits), text.count <= 10, text.suffix(4).allSatisfy(isDigit) else { return false }
        return text.dropFirst(digits).dropLast(4).allSatisfy { isDigit($0) || "./-".utf8.contains($0) }
    }
}
