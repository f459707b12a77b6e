/// The sort key of a name: the family name, then the given names, then suffixes.
///
/// "Stephen King" and "King, Stephen" have the same key. A part comes before longer ones with the same beginning: "Le,
/// Van" before "Le Guin, Ursula". A name does not show which words form the family name, and neither the language nor,
/// after normalization, the case is known. Therefore the common rules apply (AACR2 22.5, RDA 9.2.2.10):
/// - the family name is the last word of a name in direct order, and everything before the first comma of an inverted
///   one;
/// - "jr", "sr", "ii", "phd" and similar suffixes, and anything in brackets, come last;
/// - "von", "zu", "van", "ter", "de", "da", "dos" and similar particles come after the given names, as for German,
///   Dutch, French, Spanish and Portuguese names: "Goethe, Johann Wolfgang von", "Gogh, Vincent van", "Beauvoir, Simone
///   de";
/// - "le", "la", "du", "des", "vom", "zum", "zur", "di", "del", "della", "el", "al", "ben", "ibn", "abu", "mac", "o",
///   "st", "san" and similar particles begin the family name: "La Fontaine, Jean de", "Le Guin, Ursula"; "d'" and "o'"
///   form one word with it, and "mc" sorts as spelled;
/// - "Ortega y Gasset" is one family name, but of two unjoined family names only the last one counts;
/// - names that contain "of", "and" or "&", that begin with "the", or that end in "press", "university", "inc" and
///   similar words are organizations, monarchs or several people and are kept as they are; an organization that cannot
///   be told from a person is sorted like one: "Books, Penguin";
/// - names that begin in Han, kana or Hangul are kept as they are, without their blanks and commas.
public enum NameKey {
    /// Appends the sort key of a normalized name; appends nothing for an empty name. Linear; takes tens of nanoseconds.
    public static func append(_ folded: UnsafeBufferPointer<UInt8>, to key: inout ByteBuffer) {
        var collator = Collator()
        if isEastAsian(folded) {
            collator.ignoresBlanks = true
            collator.add(folded, to: &key)
        } else {
            var words = NameWords()
            if words.read(folded), let name = words.personalName {
                func add(_ part: Range<Int>) {
                    if part.isEmpty { return }
                    collator.add(UnsafeBufferPointer(rebasing: folded[words.range(of: part)]), to: &key)
                }
                add(name.family)
                collator.separate()
                add(name.given)
                add(name.particles)
                collator.separate()
                add(name.suffixes)
                add(name.rest)
            } else {
                collator.add(folded, to: &key)
            }
        }
        if collator.isEmpty { Collation.appendSymbols(folded, to: &key) }
    }

    /// Returns whether a normalized name is that of a person, and not of an organization. Linear.
    public static func isPersonal(_ folded: UnsafeBufferPointer<UInt8>) -> Bool {
        var words = NameWords()
        return words.read(folded) && words.personalName != nil
    }

    /// Returns whether a text begins with Hangul jamo, kana or Han.
    fileprivate static func isEastAsian(_ folded: UnsafeBufferPointer<UInt8>) -> Bool {
        guard folded.count >= 3, folded[0] >= 0xE1 else { return false }
        return switch folded[0] {
        case 0xE1: (0x84...0x87).contains(folded[1])
        // From the kana to the end of the Basic Multilingual Plane.
        case 0xE3: folded[1] >= 0x81
        case 0xE4...0xE9: true
        case 0xF0: folded[1] >= 0xA0
        default: false
        }
    }
}

/// The words of a name, stored inline, since there are few.
private struct NameWords {
    /// The maximum number of words; a name with more of them is not personal.
    static let capacity = 16

    /// The possible roles of each word.
    private var roles: InlineArray<16, NameRole> = .init(repeating: [])
    /// Whether the first word is "the".
    private(set) var beginsWithThe = false
    private var starts: InlineArray<16, UInt32> = .init(repeating: 0)
    private var ends: InlineArray<16, UInt32> = .init(repeating: 0)
    private(set) var count = 0
    /// The number of words before the first comma; nil without a comma.
    private(set) var commaOffset: Int?
    /// The number of words before the first bracket; nil without a bracket.
    private(set) var bracketOffset: Int?

    /// Splits a name into words; returns false if there are too many.
    mutating func read(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard name.count < Int(UInt32.max) else { return false }
        let table = NameRole.table
        var index = 0
        while index < name.count {
            switch name[index] {
            case 0x20: index += 1
            case UInt8(ascii: ","):
                if commaOffset == nil && count > 0 && bracketOffset == nil { commaOffset = count }
                index += 1
            case UInt8(ascii: "("), UInt8(ascii: "["):
                if bracketOffset == nil && count > 0 { bracketOffset = count }
                index += 1
            default:
                guard count < Self.capacity else { return false }
                let start = index
                var word: UInt64 = 0
                while index < name.count, name[index] != 0x20, name[index] != UInt8(ascii: ",") {
                    let byte = name[index]
                    let isPassedOver = byte == UInt8(ascii: ".") || byte == UInt8(ascii: "'")
                    if !isPassedOver && word < 1 << 56 { word = word << 8 | UInt64(byte) }
                    index += 1
                    // ’
                    if word & 0xFF_FFFF == 0xE2_8099 { word >>= 24 }
                }
                (starts[count], ends[count]) = (UInt32(start), UInt32(index))
                // "O." is an initial, "O" an Irish particle.
                let isInitial = index - start == 2 && name[index - 1] == UInt8(ascii: ".")
                roles[count] = isInitial ? [] : NameRole(rawValue: table.meaning(of: word))
                if count == 0 { beginsWithThe = word == Self.the }
                count += 1
            }
        }
        return count > 0
    }

    func range(of words: Range<Int>) -> Range<Int> { Int(starts[words.lowerBound])..<Int(ends[words.upperBound - 1]) }

    func roles(of word: Int) -> NameRole { roles[word] }

    func has(_ role: NameRole, in words: Range<Int>) -> Bool { words.contains { roles[$0].contains(role) } }

    private static let the = PackedWordMap.packed("the".utf8)
}

/// The possible roles of a word in a name.
private struct NameRole: OptionSet {
    var rawValue: UInt8

    /// A suffix after the name: "jr".
    static let suffix = NameRole(rawValue: 1)
    /// A particle of the given names: "von".
    static let looseParticle = NameRole(rawValue: 2)
    /// A particle of the family name: "le".
    static let firmParticle = NameRole(rawValue: 4)
    /// A particle of the family name that is not a given name at the beginning: "Ibn Khaldun", but "Ben Jonson".
    static let opening = NameRole(rawValue: 8)
    /// A word that joins two family names: "y".
    static let joining = NameRole(rawValue: 16)
    /// A word that occurs only in names that are not personal.
    static let group = NameRole(rawValue: 32)
    /// A last word that occurs only in names of organizations.
    static let organisation = NameRole(rawValue: 64)
    /// The Spanish plural article as part of a particle: "de los".
    static let pluralArticle = NameRole(rawValue: 128)

    static let table = PackedWordMap([
        (
            "jr sr jnr snr junior senior ii iii iv 2nd 3rd esq esquire phd md dds dvm jd dphil mba obe cbe mbe frs",
            0, suffix.rawValue
        ),
        (
            "von der den dem van vander vanden ter ten te tot zu zun und de da das do dos d dela af av auf aus zer het 't t",
            0, looseParticle.rawValue
        ),
        (
            "du des vom zum zur am im di del della dello dei degli dal dalla delle lo li gli al bin bint mac mc fitz san "
                + "sao ste sainte ap ab ferch o ni nic ui nan ver st saint santa santo sant",
            0, firmParticle.rawValue
        ),
        ("le la les el ibn abu abi bar ould", 0, firmParticle.union(opening).rawValue),
        ("ben", 0, firmParticle.rawValue),
        ("los las", 0, firmParticle.union([opening, pluralArticle]).rawValue),
        ("y", 0, joining.rawValue),
        ("of and & et for", 0, group.rawValue),
        (
            "inc incorporated ltd limited llc llp gmbh ag plc corp corporation co company cie verlag editions editores "
                + "editrice publishing publishers publications press university college institute institution foundation "
                + "society association group committee council commission academy museum library department ministry "
                + "bureau agency office service services staff team center centre magazine studio studios league union",
            0, organisation.rawValue
        ),
    ])
}

/// The parts of a personal name as ranges of its words.
private struct PersonalName {
    let family: Range<Int>
    let given: Range<Int>
    /// The particles that sort after the given names: "von".
    let particles: Range<Int>
    /// Suffixes before the given names: "King, Jr., Martin Luther".
    let suffixes: Range<Int>
    /// Suffixes and brackets at the end.
    let rest: Range<Int>
}

extension NameWords {
    /// The parts of this name; nil if it is not the name of one person.
    var personalName: PersonalName? {
        let end = bracketOffset ?? count
        let isOfOrganisation = end > 1 && (roles(of: end - 1).contains(.organisation) || beginsWithThe)
        if isOfOrganisation || has(.group, in: 0..<end) { return nil }
        let named = end - suffixCount(before: end)
        let rest = named..<count
        if let comma = commaOffset, comma < named {
            let start = familyStart(in: 0..<comma)
            var first = comma
            while roles(of: first).contains(.suffix) { first += 1 }
            return PersonalName(
                family: start..<comma, given: first..<named, particles: 0..<start, suffixes: comma..<first, rest: rest)
        }
        let (first, start) = particlesAndFamily(in: 0..<named)
        return PersonalName(
            family: start..<named, given: 0..<first, particles: first..<start, suffixes: named..<named, rest: rest)
    }

    /// Returns the number of suffixes before `end`, leaving at least one word.
    func suffixCount(before end: Int) -> Int {
        var start = end
        while start > 1, roles(of: start - 1).contains(.suffix) { start -= 1 }
        return end - start
    }

    /// Returns the index of the first particle before the family name of a name in direct order, and the index of the
    /// family name.
    func particlesAndFamily(in name: Range<Int>) -> (particles: Int, family: Int) {
        var first = name.upperBound - 1
        // "Ortega y Gasset"
        if first - 2 > name.lowerBound, roles(of: first - 1).contains(.joining) { first -= 2 }
        while first > name.lowerBound, isParticle(first - 1, of: name) { first -= 1 }
        return (first, familyStart(in: first..<name.upperBound))
    }

    private func isParticle(_ word: Int, of name: Range<Int>) -> Bool {
        let roles = roles(of: word)
        // The first word is a given name if possible, as in "Van Morrison".
        return word == name.lowerBound
            ? roles.contains(.opening) : !roles.isDisjoint(with: [.looseParticle, .firmParticle])
    }

    /// Returns the index of the family name in words that may begin with particles: after the last particle of the
    /// given names.
    func familyStart(in family: Range<Int>) -> Int {
        var start = family.lowerBound
        var index = start
        while index < family.upperBound - 1 {
            let roles = roles(of: index)
            let isLoose =
                roles.contains(.looseParticle)
                || roles.contains(.pluralArticle) && index > family.lowerBound
                    && self.roles(of: index - 1).contains(.looseParticle)
            if isLoose { start = index + 1 } else if !roles.contains(.firmParticle) { break }
            index += 1
        }
        return start
    }
}

/// The parts of a personal name in their original spelling, for bibliographies.
public struct NameParts: Hashable, Sendable {
    /// The family name with its particles: "Le Guin".
    public let family: String
    /// The given names, or "".
    public let given: String
    /// The particle before the family name that does not belong to it, such as "van", or "".
    public let particle: String
    /// The suffix, such as "Jr.", or "".
    public let suffix: String

    /// Splits `name`; fails if it is a single word or not the name of one person; see `NameKey`. Linear.
    public init?(_ name: String) {
        let words = name.unicodeScalars.split {
            // Asking for the properties of each character would take half of the time.
            $0.isASCII ? $0 == " " || $0 == "," || ("\t"..."\r").contains($0) : $0.properties.isWhitespace
        }
        var folded = ByteBuffer()
        folded.append(folding: name)
        var read = NameWords()
        let bytes = UnsafeBufferPointer(folded.bytes)
        guard words.count > 1, !NameKey.isEastAsian(bytes), read.read(bytes), read.count == words.count,
            read.bracketOffset == nil, let parts = read.personalName
        else { return nil }
        func text(_ range: Range<Int>) -> String { words[range].map(String.init).joined(separator: " ") }
        family = text(parts.family)
        given = text(parts.given)
        particle = text(parts.particles)
        suffix = text(parts.suffixes.isEmpty ? parts.rest : parts.suffixes)
        if family.isEmpty { return nil }
    }
}
