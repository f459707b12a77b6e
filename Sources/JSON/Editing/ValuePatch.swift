/// Computes the smallest changes of a text that give a value another content: equal parts keep their bytes, and new
/// parts adopt the style of their surroundings.
public struct ValuePatch {
    private let text: [UInt8]
    private let style: JSONStyle
    private var splices: [TextSplice] = []

    /// Returns the changes of `text` after which it encodes `new`; empty if it does already.
    ///
    /// - Parameters:
    ///   - known: The value that `text` encodes, if it is known.
    ///   - style: The style of added values; nil for the style of the text.
    /// - Throws: `JSONSyntaxError` if `text` does not begin with a value.
    public static func changes(
        of text: [UInt8], holding known: JSONValue? = nil, to new: JSONValue,
        style: ((LocatedValue) -> JSONStyle)? = nil
    ) throws(JSONSyntaxError) -> [TextSplice] {
        let value = try LocatedValue(at: text)
        guard let content = known ?? JSONValue(parsing: text[value.range]) else {
            throw JSONSyntaxError(.unexpectedCharacter, at: value.range.lowerBound)
        }
        if content.isIdentical(to: new) { return [] }
        var patch = ValuePatch(text: text, style: style?(value) ?? JSONStyle(of: value, in: text))
        patch.change(value, content, to: new)
        return patch.splices
    }

    private init(text: [UInt8], style: JSONStyle) {
        (self.text, self.style) = (text, style)
    }

    /// - Parameter content: The value that stands there.
    private mutating func change(_ old: LocatedValue, _ content: JSONValue, to new: JSONValue) {
        if content.isIdentical(to: new) { return }
        switch (old.content, content, new) {
        case (.object(let items), .object(let olds), .object(let members)) where !items.isEmpty && !members.isEmpty:
            change(old, items, olds.map(Item.init), to: members.map(Item.init))
        case (.array(let items), .array(let olds), .array(let elements)) where !items.isEmpty && !elements.isEmpty:
            change(old, items, olds.map(Item.init), to: elements.map(Item.init))
        default:
            var bytes: [UInt8] = []
            style.write(new, margin: margin(at: old.range.lowerBound), to: &bytes)
            splices.append(TextSplice(old.range, bytes))
        }
    }

    /// An element of an array, or a member of an object, that is there or is to be there.
    private struct Item {
        var key: String?
        var value: JSONValue

        init(_ element: JSONValue) { value = element }
        init(_ member: JSONValue.Member) { (key, value) = (member.key, member.value) }
    }

    /// Changes the items of an array or object, neither of which is empty before or after.
    private mutating func change(
        _ old: LocatedValue, _ items: [LocatedValue.Item], _ contents: [Item], to new: [Item]
    ) {
        let sources = sources(of: new, among: contents)
        let kept = Set(sources.compactMap(\.self))
        for (item, source) in zip(new, sources) {
            if let source { change(items[source].value, contents[source].value, to: item.value) }
        }
        guard !kept.isEmpty else {
            replaceAll(old, items, by: new)
            return
        }
        remove(items, keeping: kept)
        insert(new, sources, into: old, items)
    }

    /// Returns for each new item the old one that it comes from, in rising order; nil for those that are added.
    private func sources(of new: [Item], among items: [Item]) -> [Int?] {
        let equal: (Int, Int) -> Bool = { number, index in
            if let key = new[number].key, let other = items[index].key { return key.utf8.elementsEqual(other.utf8) }
            return items[index].value.isIdentical(to: new[number].value)
        }
        var sources = [Int?](repeating: nil, count: new.count)
        var (start, oldEnd, newEnd) = (0, items.count, new.count)
        while start < min(oldEnd, newEnd), equal(start, start) {
            sources[start] = start
            start += 1
        }
        while oldEnd > start, newEnd > start, equal(newEnd - 1, oldEnd - 1) {
            oldEnd -= 1
            newEnd -= 1
            sources[newEnd] = oldEnd
        }
        var index = start
        for number in start..<newEnd {
            if let found = (index..<max(index, oldEnd)).first(where: { equal(number, $0) }) {
                sources[number] = found
                index = found + 1
            } else if new[number].key == nil, newEnd - number == oldEnd - index {
                // The same number of elements is left on both sides: change the element in place.
                sources[number] = index
                index += 1
            }
        }
        return sources
    }

    /// Removes the items that are not kept, each with a comma.
    private mutating func remove(_ items: [LocatedValue.Item], keeping kept: Set<Int>) {
        let last = kept.max() ?? 0
        for index in items.indices where !kept.contains(index) && index < last {
            splices.append(TextSplice(items[index].range.lowerBound..<items[index + 1].range.lowerBound))
        }
        if last < items.count - 1 {
            splices.append(TextSplice(items[last].range.upperBound..<items[items.count - 1].range.upperBound))
        }
    }

    /// Inserts the items without a source, after their predecessor or before the first kept item.
    private mutating func insert(
        _ new: [Item], _ sources: [Int?], into old: LocatedValue, _ items: [LocatedValue.Item]
    ) {
        let separator = separator(of: old, items)
        let margin = margin(at: items[0].range.lowerBound)
        var last: Int?
        for (number, source) in sources.enumerated() {
            if let source {
                last = source
                continue
            }
            var bytes: [UInt8] = []
            write(new[number], like: items[last ?? 0], margin: margin, to: &bytes)
            if let last {
                let end = items[last].range.upperBound
                splices.append(TextSplice(end..<end, separator + bytes))
            } else {
                let start = sources.lazy.compactMap(\.self).first.map { items[$0].range.lowerBound } ?? 0
                splices.append(TextSplice(start..<start, bytes + separator))
            }
        }
    }

    private func write(_ item: Item, like neighbour: LocatedValue.Item, margin: [UInt8], to bytes: inout [UInt8]) {
        guard let key = item.key, let old = neighbour.key else {
            return style.write(item.value, margin: margin, to: &bytes)
        }
        var style = style
        style.colon = Array(text[old.range.upperBound..<neighbour.value.range.lowerBound])
        style.write(JSONValue.Member(key: key, value: item.value), margin: margin, to: &bytes)
    }

    /// Puts new items in the place of all old ones, with the white space around them.
    private mutating func replaceAll(_ old: LocatedValue, _ items: [LocatedValue.Item], by new: [Item]) {
        let separator = separator(of: old, items)
        let margin = margin(at: items[0].range.lowerBound)
        var bytes: [UInt8] = []
        for (number, item) in new.enumerated() {
            if number > 0 { bytes += separator }
            write(item, like: items[0], margin: margin, to: &bytes)
        }
        splices.append(TextSplice(items[0].range.lowerBound..<items[items.count - 1].range.upperBound, bytes))
    }

    /// Returns the comma between two items with the white space around it.
    private func separator(of old: LocatedValue, _ items: [LocatedValue.Item]) -> [UInt8] {
        if items.count > 1 {
            return Array(text[items[items.count - 2].range.upperBound..<items[items.count - 1].range.lowerBound])
        }
        let opening = text[old.range.lowerBound + 1..<items[0].range.lowerBound]
        return opening.contains(UInt8(ascii: "\n")) ? [UInt8(ascii: ",")] + opening : style.comma
    }

    /// Returns the white space at the start of the line of `offset`.
    private func margin(at offset: Int) -> [UInt8] {
        guard let newline = text[..<offset].lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        return Array(text[(newline + 1)..<offset].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
    }
}
