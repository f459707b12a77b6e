internal import Books
internal import JSON
internal import MARC
internal import Text

extension MARCText {
    /// Creates the record of a book from the one that its catalog keeps, in which only the fields of changed values are
    /// replaced; fails for a changed record of UNIMARC, whose fields have other numbers.
    ///
    /// - Parameter record: The record of the catalog, with the values that only such catalogs have.
    init?(_ kept: MARCRecord, of book: Book, in record: JSONValue) {
        self.init(kept)
        guard let revision = MARCRevision(kept, self, of: book, in: record) else { return }
        if kept.isUNIMARC { return nil }
        self = revision.text
    }
}

/// A record in which the fields of changed values are replaced: those in which a book differs from the one that the record
/// gives. The control number stays as it is: it belongs to the library that made the record.
struct MARCRevision {
    typealias Field = MARCText.Field

    let kept: MARCRecord
    /// The book that the record gives, and the one that it is to give.
    let (given, book): (Book, Book)
    private let changed: Set<BookField>
    /// The fields of the kept record, in its order.
    let original: [Field]
    /// Those of them that have other values now, by their numbers.
    var latest: [Int: Field] = [:]
    var text: MARCText

    /// Revises the text of a record; nil if no value is changed.
    init?(_ kept: MARCRecord, _ text: MARCText, of book: Book, in record: JSONValue) {
        let row = JSONValue(parsing: kept.bookAsJSON) ?? .object([])
        (self.kept, self.text, self.book, given) = (kept, text, book, Self.mapping.book(from: row))
        original = text.fields
        let fields = Self.fields
        changed = Set(fields.filter { [given] in !Self.isSame($0, in: given, and: book) })
        let changedOwn = Self.changes(from: row, to: record)
        if changed.isEmpty && changedOwn.isEmpty { return nil }
        revise()
        for (own, texts) in changedOwn { revise(own, to: texts) }
    }

    /// The fields that a record of MARC has a place for.
    private static let fields: [BookField] = [
        .title, .subtitle, .otherTitle, .authors, .contributors, .isbn, .identifiers, .publisher, .published,
        .pageCount, .fiction,
        .languages, .subjects, .series, .seriesPosition, .description,
    ]

    /// Reads the members that a row of MARC has, and those of a book that stacks wrote.
    private static let mapping = FieldMapping(
        rules: Dictionary(
            uniqueKeysWithValues: fields.map { field in
                let names = [field.id, field.info.nativeKey]
                return (field, .init(names.map { .init(FieldPath(steps: [.name($0)])) }))
            }))

    private static func isSame(_ field: BookField, in one: Book, and other: Book) -> Bool {
        // The day of publication, and the spelling of an ISBN, may come from elsewhere.
        switch field {
        case .published: one.published?.year == other.published?.year
        case .isbn where one.isbn?.number != nil: one.isbn?.number == other.isbn?.number
        default: field.value(in: one) == field.value(in: other)
        }
    }

    private func isChanged(_ fields: BookField...) -> Bool { fields.contains(where: changed.contains) }

    private mutating func revise() {
        if isChanged(.title, .subtitle) { reviseTitle() }
        if isChanged(.otherTitle) { reviseOtherTitle() }
        if isChanged(.authors, .contributors) { revisePeople() }
        if isChanged(.isbn) { reviseISBN() }
        if isChanged(.identifiers) { reviseIdentifiers() }
        if isChanged(.publisher, .published) { revisePublication() }
        if isChanged(.pageCount) { set("300", ["a": book.pageCount.map { "\($0) pages" }]) }
        if isChanged(.fiction) { setFixed(33, MARCText.fixedForm(of: book)) }
        if isChanged(.languages) { reviseLanguages() }
        if isChanged(.subjects) { reviseSubjects() }
        if isChanged(.series, .seriesPosition) { reviseSeries() }
        if isChanged(.description) {
            replace(Set(text.fields.filter { $0.tag == "520" }), with: MARCText.description(of: book))
        }
    }

    // MARK: - Titles and people

    private mutating func reviseTitle() {
        guard let number = text.fields.firstIndex(where: { $0.tag == "245" }) else {
            return replace([], with: [MARCText.title(of: book)])
        }
        let old = text.fields[number]
        let heads = old.subfields.filter { Self.titleCodes.contains($0.code) }
        let tail = old.subfields.last { $0.code == "b" }
        let headEnd = heads.last.map { ending(of: $0.text) } ?? ""
        let lastEnd = tail.map { ending(of: $0.text) } ?? headEnd
        var newHeads = heads
        if isChanged(.title) || heads.isEmpty { newHeads = [.init(code: "a", text: book.recordTitle)] }
        // The punctuation before the next part, which may have come or gone.
        let newEnd = book.subtitle == nil ? lastEnd : tail != nil || headEnd.isEmpty ? headEnd : " :"
        let last = newHeads.count - 1
        newHeads[last].text = plain(newHeads[last].text) + newEnd
        let newTail = book.subtitle.map { MARCText.Subfield(code: "b", text: $0 + lastEnd) }
        var new = old
        new.subfields.removeAll { Self.titleCodes.contains($0.code) || $0.code == "b" }
        let place = old.subfields.firstIndex { Self.titleCodes.contains($0.code) || $0.code == "b" } ?? 0
        new.subfields.insert(contentsOf: newHeads, at: place)
        if let newTail {
            // The medium stands between the title and its second part.
            let isMedium = place + last + 1 < new.subfields.count && new.subfields[place + last + 1].code == "h"
            new.subfields.insert(newTail, at: place + last + (isMedium ? 2 : 1))
        }
        // The number of characters that sorting ignores, if the new title begins with the same.
        if let count = Int(old.second), count > 0, heads.first?.text.prefix(count) != newHeads[0].text.prefix(count) {
            new.second = "0"
        }
        text.fields[number] = new
    }

    /// The codes of the parts of a title, without its second part.
    private static let titleCodes = ["a", "n", "p"]

    /// Sets the title in field 880, and links a new one with its twin.
    private mutating func reviseOtherTitle() {
        let isTwin = { (field: Field) in
            field.tag == "880" && field.subfields.contains { $0.code == "6" && $0.text.hasPrefix("245") }
        }
        guard let place = text.fields.firstIndex(where: isTwin) else { return addOtherTitle() }
        guard let title = book.otherTitle else { return _ = text.fields.remove(at: place) }
        for code in ["b", "n", "p"] { setSubfield(code, of: &text.fields[place], to: nil) }
        setSubfield("a", of: &text.fields[place], to: title)
    }

    private mutating func addOtherTitle() {
        guard let title = book.otherTitle?.nonEmpty, let place = text.fields.firstIndex(where: { $0.tag == "245" })
        else {
            return
        }
        // The number that links the two fields (MARC 21, appendix A).
        let links = text.fields.flatMap { $0.subfields.filter { $0.code == "6" } }
        let number = (links.compactMap { Int($0.text.dropFirst(4).prefix(2)) }.max() ?? 0) + 1
        let link = (number < 10 ? "0" : "") + String(number)
        text.fields[place].subfields.removeAll { $0.code == "6" }
        text.fields[place].subfields.insert(.init(code: "6", text: "880-" + link), at: 0)
        let twin = text.fields[place]
        replace([], with: [Field("880", indicators: twin.first + twin.second, [("6", "245-" + link), ("a", title)])])
    }

    private mutating func revisePeople() {
        let people = kept.people
        var rest = people
        let hasMainEntry = people.isEmpty || people.contains { kept.fields[$0.field].tag < 200 }
        func keptField(_ name: String, isAuthor: Bool) -> Field? {
            guard let place = rest.firstIndex(where: { $0.name == name && $0.isAuthor == isAuthor }) else { return nil }
            return original[rest.remove(at: place).field]
        }
        var new: [Field?] = []
        for (place, name) in book.authors.enumerated() {
            let isMain = place == 0 && hasMainEntry
            if var field = keptField(name, isAuthor: true) {
                field.tag = (isMain ? "1" : "7") + field.tag.dropFirst()
                // Only a person without a role is an author.
                if field.tag > "700", !field.subfields.contains(where: { ["e", "4"].contains($0.code) }) {
                    field.subfields.append(.init(code: "e", text: "author"))
                }
                new.append(field)
            } else {
                new.append(MARCText.person(name, tag: isMain ? "100" : "700", as: "author"))
            }
        }
        for person in book.contributors {
            let field = given.contributors.contains(person) ? keptField(person.name, isAuthor: false) : nil
            new.append(field ?? MARCText.person(person.name, as: person.role ?? "contributor"))
        }
        replace(Set(people.map { original[$0.field] }), with: new)
    }

    // MARK: - Numbers and languages

    private mutating func reviseISBN() {
        let isGiven = { [given] (subfield: MARCText.Subfield) in
            let number = ISBN(subfield.text).number
            return subfield.code == "a"
                && (number.map { $0 == given.isbn?.number } ?? (subfield.text == given.isbn?.text))
        }
        guard let place = text.fields.firstIndex(where: { $0.tag == "020" && $0.subfields.contains(where: isGiven) })
        else { return replace([], with: [Field("020", [("a", book.isbn?.text)])]) }
        setSubfield("a", of: &text.fields[place], to: book.isbn?.text)
        removeEmpty()
    }

    private mutating func reviseIdentifiers() {
        let gone = given.identifiers.filter { !book.identifiers.contains($0) }
        let old = kept.fields.indices.filter { number in
            guard let item = kept.identifier(of: kept.fields[number]) else { return false }
            return gone.contains(.init(scheme: item.key, value: item.value))
        }
        let new = book.identifiers.filter { !given.identifiers.contains($0) }
        replace(Set(old.map { original[$0] }), with: new.map(MARCText.identifier))
    }

    private mutating func reviseLanguages() {
        setFixed(35, MARCText.fixedLanguage(of: book) ?? "und")
        let isTag = { (field: Field) in field.second == "7" }
        let old = text.fields.filter { $0.tag == "041" }
        var new = MARCText.languages(of: book).compactMap(\.self)
        // The field has languages of the original and of summaries, too.
        if var field = old.first(where: { !isTag($0) }) {
            let code = MARCText.fixedLanguage(of: book).map { [MARCText.Subfield(code: "a", text: $0)] } ?? []
            let codes = new.first { !isTag($0) }?.subfields ?? code
            field.subfields = codes + field.subfields.filter { $0.code != "a" }
            new = [field] + new.filter(isTag)
        }
        replace(Set(old), with: new.filter { !$0.subfields.isEmpty })
    }

    // MARK: - Publication, subjects and series

    private mutating func revisePublication() {
        if isChanged(.published) { setFixed(7, MARCText.fixedYear(of: book) ?? "uuuu") }
        let isPublication = { (field: Field) in field.tag == "264" && field.second == "1" }
        let tag = text.fields.contains(where: isPublication) ? "264" : "260"
        guard
            let place = text.fields.firstIndex(where: { tag == "264" ? isPublication($0) : $0.tag == "260" })
        else { return replace([], with: [MARCText.publication(of: book)]) }
        if isChanged(.publisher) { setSubfield("b", of: &text.fields[place], to: book.publisher) }
        if isChanged(.published) { setSubfield("c", of: &text.fields[place], to: MARCText.date(of: book)) }
        removeEmpty()
    }

    private mutating func reviseSubjects() {
        let old = kept.fields.indices.filter { !(kept.subject(of: kept.fields[$0]) ?? "").isEmpty }
        let known = old.map { (subject: kept.subject(of: kept.fields[$0])?.onOneLine, field: original[$0]) }
        let new = book.subjects.map { subject in
            known.first { $0.subject == subject }?.field ?? MARCText.subject(subject)
        }
        replace(Set(known.map(\.field)), with: new)
    }

    private mutating func reviseSeries() {
        let places = text.fields.indices.filter { ["440", "490", "830"].contains(text.fields[$0].tag) }
        // A series is described in one field, and traced in another.
        let first = ["440", "490", "830"].compactMap { tag in places.first { text.fields[$0].tag == tag } }
        guard !first.isEmpty else { return replace([], with: [MARCText.series(of: book)]) }
        for place in first {
            if isChanged(.series) { setSubfield("a", of: &text.fields[place], to: book.series) }
            setSubfield("v", of: &text.fields[place], to: book.series == nil ? nil : book.seriesNumber)
        }
        removeEmpty()
    }

    // MARK: - Fields

    /// Replaces fields by others: those with the same tag are at the place of the first of them, others before the first
    /// with a greater tag.
    mutating func replace(_ old: Set<Field>, with new: [Field?]) {
        var rest = new.compactMap(\.self)
        var fields: [Field] = []
        for field in text.fields {
            guard old.contains(field) else {
                fields.append(field)
                continue
            }
            fields += rest.filter { $0.tag == field.tag }
            rest.removeAll { $0.tag == field.tag }
        }
        for field in rest { fields.insert(field, at: fields.firstIndex { $0.tag > field.tag } ?? fields.count) }
        text.fields = fields
    }

    /// Sets subfields of the first field with this tag, which is added or removed if necessary.
    private mutating func set(_ tag: String, _ subfields: [String: String?]) {
        guard let place = text.fields.firstIndex(where: { $0.tag == tag }) else {
            return replace([], with: [Field(tag, subfields.map { ($0.key, $0.value) })])
        }
        for (code, value) in subfields { setSubfield(code, of: &text.fields[place], to: value) }
        removeEmpty()
    }

    /// Sets the first subfield with this code, with the punctuation of the old one before the next; all of them are
    /// removed without a value.
    func setSubfield(_ code: String, of field: inout Field, to value: String?) {
        guard let value = value?.nonEmpty else { return field.subfields.removeAll { $0.code == code } }
        if let place = field.subfields.firstIndex(where: { $0.code == code }) {
            field.subfields[place].text = value + ending(of: field.subfields[place].text)
        } else {
            let place = field.subfields.firstIndex { $0.code > code } ?? field.subfields.count
            field.subfields.insert(.init(code: code, text: value), at: place)
        }
    }

    private mutating func removeEmpty() { text.fields.removeAll { $0.subfields.isEmpty } }

    /// Sets characters of field 008, in which each position has its own meaning.
    private mutating func setFixed(_ start: Int, _ value: String) {
        guard let place = text.fields.firstIndex(where: { $0.tag == "008" && $0.isControl }) else { return }
        var characters = Array(text.fields[place].subfields[0].text.unicodeScalars)
        guard characters.count >= start + value.unicodeScalars.count else { return }
        characters.replaceSubrange(start..<start + value.unicodeScalars.count, with: value.unicodeScalars)
        text.fields[place].subfields[0].text = String(String.UnicodeScalarView(characters))
    }

    private func plain(_ text: String) -> String { kept.plain(text) }

    /// The punctuation at the end of a text, before the next part.
    private func ending(of text: String) -> String {
        let plain = plain(text)
        return text.hasPrefix(plain) ? String(text.dropFirst(plain.count)) : ""
    }
}
