internal import JSON

extension ValueEncodings {
    /// Returns the encodings of a list, to replace `raw`.
    func ofList(_ items: [FieldValue.Item], like raw: JSONValue?) -> [JSONValue] {
        var forms: [JSONValue] = []
        switch raw {
        case .array(let elements)?: forms += [oneByOne(items, in: elements)].compactMap(\.self)
        case .object(let members)?:
            let isKeyed = self.items(in: .object(members)).contains { item in members.contains { $0.key == item.tag } }
            let both = [oneByOne(items, in: [.object(members)]).map(Self.unwrapped), keyed(items, like: members)]
            forms += (isKeyed ? both.reversed() : both).compactMap(\.self)
        case .string(let string)? where self.items(in: .string(string)).isEmpty:
            // Another field reads this string, so it stays.
            forms += [oneByOne(items, in: [.string(string)])].compactMap(\.self)
        case .string?:
            if items.count == 1, let item = items.first { forms += ofItem(item, like: raw) }
        default: break
        }
        let texts = items.map {
            candidate.values.isEmpty ? $0.text : inCatalogWords(.string($0.text), like: nil).first?.string ?? $0.text
        }
        // A text with one name says nothing about how this catalog writes several.
        let hasSeveral = raw.map { $0.string != nil && self.items(in: $0).count > 1 } ?? false
        if let joined = candidate.joined(texts), hasSeveral || !candidate.separatesNames {
            forms += [.string(joined)] + [.array([.string(joined)])]
        }
        if field == .identifiers, let keyed = keyed(items, like: []) { forms.append(keyed) }
        let all = items.map { ofItem($0, like: nil) }
        // All items in their first form, then all in their second, and so on.
        if all.contains(where: \.isEmpty) { return forms }
        for index in 0..<(all.map(\.count).max() ?? 0) {
            forms.append(.array(all.map { $0[min(index, $0.count - 1)] }))
        }
        return forms
    }

    /// Returns the element of a single-element array, or the value itself.
    private static func unwrapped(_ value: JSONValue) -> JSONValue {
        if case .array(let elements) = value, elements.count == 1 { elements[0] } else { value }
    }

    private func items(in element: JSONValue) -> [FieldValue.Item] {
        if case .list(let items)? = candidate.value(of: field, in: element) { items } else { [] }
    }

    /// Replaces the items one by one, keeping each element that already encodes one of them; nil if an element encodes
    /// several items.
    private func oneByOne(_ items: [FieldValue.Item], in elements: [JSONValue]) -> JSONValue? {
        let old = elements.map(self.items)
        guard old.allSatisfy({ $0.count <= 1 }) else { return nil }
        let readable = elements.indices.filter { !old[$0].isEmpty }
        let template = readable.first.map { elements[$0] }
        // Items are converted to values, so that the same elements are kept as when a path writes them.
        func value(_ item: FieldValue.Item) -> JSONValue {
            .array([.string(item.text), item.tag.map { .string($0) } ?? .null])
        }
        let sources = FieldPath.assignment(
            of: items.map(value), to: readable.map { value(old[$0][0]) })
        var written: [JSONValue] = []
        for (item, source) in zip(items, sources) {
            let forms: [JSONValue]
            if let source {
                let element = elements[readable[source]]
                if FieldValue.list(old[readable[source]]).isIdentical(to: .list([item])) {
                    written.append(element)
                    continue
                }
                forms = replaced(old[readable[source]][0], with: item, in: element) + ofItem(item, like: element)
            } else {
                forms = ofItem(item, like: template)
            }
            guard let form = forms.first(where: { self.items(in: $0) == [item] }) else { return nil }
            written.append(form)
        }
        var result: [JSONValue] = []
        var next = written[...]
        for (index, element) in elements.enumerated() {
            if old[index].isEmpty {
                // Blank elements are dropped; elements that another field reads are kept.
                if !element.isBlank { result.append(element) }
            } else if let first = next.popFirst() {
                result.append(first)
            }
        }
        return .array(result + next)
    }

    /// Returns encodings of `element` with the item replaced and everything else kept.
    private func replaced(_ old: FieldValue.Item, with new: FieldValue.Item, in element: JSONValue) -> [JSONValue] {
        guard case .object(let members) = element else { return [] }
        if field == .authors || field == .contributors, let parts = Self.nameParts(of: members, new.text) {
            return [parts] + ofItem(new, like: element)
        }
        var changed = element
        if let new = new.tag, new != old.tag {
            let key = members.last { $0.value.text == old.tag && old.tag != nil }?.key
            changed = changed.setting(key ?? (field == .contributors ? "role" : "scheme"), to: .string(new))
        } else if new.tag == nil, let tag = old.tag, let key = members.last(where: { $0.value.text == tag })?.key {
            changed = changed.setting(key, to: nil)
        }
        if new.text.utf8.elementsEqual(old.text.utf8) { return [changed] }
        let keys = members.prefix(Self.limit).filter { !$0.value.isBlank && $0.value.text != old.tag }.map(\.key)
        return keys.flatMap { key -> [JSONValue] in
            guard let member = element[key] else { return [] }
            return nestedText(new.text, in: member, depth: 0).map { changed.setting(key, to: $0) }
        }
    }

    private func nestedText(_ text: String, in raw: JSONValue, depth: Int) -> [JSONValue] {
        guard depth < 4 else { return [] }
        switch raw {
        case .array(let elements):
            return elements.first.map { nestedText(text, in: $0, depth: depth + 1).map { .array([$0]) } } ?? []
        case .object(let members):
            var forms: [JSONValue] = []
            for member in members.prefix(Self.limit) where forms.count < Self.formLimit {
                forms += nestedText(text, in: member.value, depth: depth + 1).map { raw.setting(member.key, to: $0) }
            }
            return forms
        case .string(let string): return Self.texts(text, like: string).map { .string($0) }
        default: return [.string(text)]
        }
    }

    /// Returns the text, preferably with the path prefix of `old`: "/languages/fre" for "/languages/eng".
    private static func texts(_ text: String, like old: String) -> [String] {
        guard old.hasPrefix("/"), let slash = old.lastIndex(of: "/"), !text.contains("/") else { return [text] }
        return [old[...slash] + text, text]
    }

    /// The keys of the parts of a name, and of a whole one: those of CSL first, then those of Zotero.
    private static let nameKeys = [
        (family: "family", given: "given", whole: "literal"), (family: "lastName", given: "firstName", whole: "name"),
    ]

    /// Returns the parts of a name if either the family or the given name is unchanged, otherwise the whole name.
    private static func nameParts(of members: [JSONValue.Member], _ name: String) -> JSONValue? {
        let object = JSONValue.object(members)
        let used = nameKeys.first { object[$0.family] != nil || object[$0.given] != nil }
        guard let (familyKey, givenKey, wholeKey) = used else { return nil }
        if object["suffix"] == nil, object["non-dropping-particle"] == nil, object["dropping-particle"] == nil,
            let family = object[familyKey]?.text, let given = object[givenKey]?.text
        {
            if name.hasSuffix(" " + family) {
                return object.setting(givenKey, to: .string(String(name.dropLast(family.count + 1))))
            }
            if name.hasPrefix(given + " ") {
                return object.setting(familyKey, to: .string(String(name.dropFirst(given.count + 1))))
            }
        }
        let parts = [familyKey, givenKey, "suffix", "dropping-particle", "non-dropping-particle", "comma-suffix"]
        return .object([.init(key: wholeKey, value: .string(name))] + members.filter { !parts.contains($0.key) })
    }

    /// Returns the encodings of one item, first those in the form of `other`, which is another item or the previous
    /// value.
    private func ofItem(_ item: FieldValue.Item, like other: JSONValue?) -> [JSONValue] {
        let text =
            candidate.values.isEmpty
            ? .string(item.text) : inCatalogWords(.string(item.text), like: nil).first ?? .string(item.text)
        var forms: [JSONValue] = []
        if case .object(let members)? = other {
            let keys = members.map(\.key)
            // The parts of a name cannot be derived reliably from the whole.
            let textKeys =
                Self.nameKeys.first { keys.contains($0.family) || keys.contains($0.given) }.map { [$0.whole] } ?? keys
            for key in textKeys.prefix(Self.limit) {
                var form = [JSONValue.Member(key: key, value: object(key, in: members, text))]
                guard let tag = item.tag, tag != candidate.tag else {
                    forms.append(.object(form))
                    continue
                }
                for tagKey in (keys + ["role", "scheme"]).prefix(Self.limit) where tagKey != key {
                    form = [.init(key: tagKey, value: .string(tag)), .init(key: key, value: text)]
                    forms.append(.object(form))
                }
            }
        }
        if case .string(let string)? = other, string.hasPrefix("/") {
            forms += Self.texts(item.text, like: string).map { .string($0) }
        }
        guard let tag = item.tag, tag != candidate.tag else { return forms + [text] + named(text) }
        switch field {
        case .contributors:
            forms.append(.object([.init(key: "name", value: text), .init(key: "role", value: .string(tag))]))
        default:
            if other?.string != nil {
                forms += [text, .string("\(tag):\(item.text)"), .string("urn:\(tag):\(item.text)")]
            }
            forms += [
                .object([.init(key: "scheme", value: .string(tag)), .init(key: "value", value: text)]),
                .string("\(tag):\(item.text)"), text,
            ]
        }
        return forms.filter { items(in: $0) == [item] }
    }

    /// Returns the text as the member `key` of another item encodes it, nested in an object if it is nested there.
    private func object(_ key: String, in members: [JSONValue.Member], _ text: JSONValue) -> JSONValue {
        if case .object(let inner)? = members.last(where: { $0.key == key })?.value, let first = inner.first {
            .object([.init(key: first.key, value: text)])
        } else {
            text
        }
    }

    /// Wraps a name for formats in which it cannot stand alone.
    private func named(_ text: JSONValue) -> [JSONValue] { [.object([.init(key: "name", value: text)])] }

    /// Returns an object with the items keyed by role or scheme, or nil if an item has none or the field is not tagged.
    private func keyed(_ items: [FieldValue.Item], like members: [JSONValue.Member]) -> JSONValue? {
        guard field.gathers, candidate.tag == nil, items.allSatisfy({ $0.tag != nil }) else { return nil }
        var result = JSONValue.object(members)
        for member in members where !self.items(in: .object([member])).isEmpty {
            let isWanted = items.contains { $0.tag == member.key }
            if !isWanted { result = result.setting(member.key, to: nil) }
        }
        var seen: Set<String> = []
        for item in items {
            guard let tag = item.tag, seen.insert(tag).inserted else { continue }
            let texts = items.filter { $0.tag == tag }
            let old = members.last { $0.key == tag }
            if let old, self.items(in: .object([old])) == texts { continue }
            let values = texts.map { JSONValue.string($0.text) }
            var isArray = values.count > 1
            if case .array? = old?.value { isArray = true }
            result = result.setting(tag, to: isArray ? .array(values) : values[0])
        }
        return result
    }
}
