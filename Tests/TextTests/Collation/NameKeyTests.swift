import Testing

@testable import CatalogTesting
@testable import Text

@Suite("Text: sorting names") struct NameKeyTests {
    private func key(_ name: String) -> [UInt8] {
        ByteBuffer.key(of: name) { NameKey.append($0, to: &$1) }
    }

    /// Returns the key of the parts of a name: family name, given names, suffixes.
    private func key(_ parts: [String]) -> [UInt8] {
        Array(parts.map { ByteBuffer.key(of: $0) { Collation.append($0, to: &$1) } }.joined(separator: [0x01]))
    }

    @Test(arguments: [
        // Direct and inverted.
        ("Stephen King", ["King", "Stephen"]), ("King, Stephen", ["King", "Stephen"]),
        ("STEPHEN KING", ["King", "Stephen"]),
        ("King , Stephen", ["King", "Stephen"]), ("King,Stephen", ["King", "Stephen"]), ("Homer", ["Homer"]),
        ("Homer,", ["Homer"]), ("Charlotte Brontë", ["Bronte", "Charlotte"]), ("Malcolm X", ["X", "Malcolm"]),
        ("J. R. R. Tolkien", ["Tolkien", "J R R"]), ("J.R.R. Tolkien", ["Tolkien", "J R R"]),
        ("Tolkien, J.R.R.", ["Tolkien", "J R R"]), ("Flannery O'Connor", ["OConnor", "Flannery"]),
        ("Conan Doyle, Arthur", ["Conan Doyle", "Arthur"]), ("García Márquez, Gabriel", ["Garcia Marquez", "Gabriel"]),
        // Suffixes.
        ("Martin Luther King, Jr.", ["King", "Martin Luther", "Jr"]),
        ("Martin Luther King Jr.", ["King", "Martin Luther", "Jr"]),
        ("King, Martin Luther, Jr.", ["King", "Martin Luther", "Jr"]),
        ("King, Jr., Martin Luther", ["King", "Martin Luther", "Jr"]),
        ("Davis Grubb III", ["Grubb", "Davis", "III"]), ("John Gray, Ph.D.", ["Gray", "John", "PhD"].dots),
        ("John Gray, PhD", ["Gray", "John", "PhD"]), ("Henry Louis Gates Jr. PhD", ["Gates", "Henry Louis", "Jr PhD"]),
        ("Robert Galbraith (pseudonym)", ["Galbraith", "Robert", "pseudonym"]),
        ("Rowling, J. K. [author]", ["Rowling", "J K", "author"]), ("Junior", ["Junior"]),
        // Particles of the given names.
        ("Johann Wolfgang von Goethe", ["Goethe", "Johann Wolfgang von"]),
        ("Goethe, Johann Wolfgang von", ["Goethe", "Johann Wolfgang von"]),
        ("von Goethe, Johann Wolfgang", ["Goethe", "Johann Wolfgang von"]),
        ("Vincent van Gogh", ["Gogh", "Vincent van"]),
        ("Annette von Droste-Hülshoff", ["Droste Hulshoff", "Annette von"]),
        ("Ursula von der Leyen", ["Leyen", "Ursula von der"]),
        ("Karl-Theodor von und zu Guttenberg", ["Guttenberg", "Karl Theodor von und zu"]),
        ("Simone de Beauvoir", ["Beauvoir", "Simone de"]), ("Miguel de Cervantes", ["Cervantes", "Miguel de"]),
        ("Fernando de los Ríos", ["Rios", "Fernando de los"]), ("Leonardo da Vinci", ["Vinci", "Leonardo da"]),
        ("José dos Santos", ["Santos", "José dos"]), ("Gerard ter Borch", ["Borch", "Gerard ter"]),
        ("Lorenzo de' Medici", ["Medici", "Lorenzo de"]), ("Gerard ’t Hooft", ["Hooft", "Gerard t"]),
        ("Van Morrison", ["Morrison", "Van"]), ("van Gogh", ["Gogh", "van"]),
        // Particles of the family name.
        ("Ursula K. Le Guin", ["Le Guin", "Ursula K"]), ("Le Guin, Ursula K.", ["Le Guin", "Ursula K"]),
        ("Jean de La Fontaine", ["La Fontaine", "Jean de"]), ("La Fontaine, Jean de", ["La Fontaine", "Jean de"]),
        ("de La Fontaine, Jean", ["La Fontaine", "Jean de"]), ("Daphne du Maurier", ["Du Maurier", "Daphne"]),
        ("Guillermo del Toro", ["del Toro", "Guillermo"]),
        ("Lampedusa, Giuseppe Tomasi di", ["Lampedusa", "Giuseppe Tomasi di"]),
        ("Erri Di Luca", ["Di Luca", "Erri"]), ("Nawal El Saadawi", ["El Saadawi", "Nawal"]),
        ("Ibn Khaldun", ["Ibn Khaldun"]),
        ("David Ben Gurion", ["Ben Gurion", "David"]), ("Ben Jonson", ["Jonson", "Ben"]), ("Al Gore", ["Gore", "Al"]),
        ("Le Guin", ["Le Guin"]), ("Flann O Brien", ["O Brien", "Flann"]), ("John O. Smith", ["Smith", "John O"]),
        ("Máirtín Ó Cadhain", ["O Cadhain", "Máirtín"]), ("Jules Saint-Georges", ["Saint Georges", "Jules"]),
        ("Susan St. James", ["St James", "Susan"]), ("José Ortega y Gasset", ["Ortega y Gasset", "José"]),
        // Not the name of a person.
        ("Penguin Books", ["Books", "Penguin"]), ("Oxford University Press", ["Oxford University Press"]),
        ("University of Chicago", ["University of Chicago"]), ("Apple Inc.", ["Apple Inc"]),
        ("Apple, Inc.", ["Apple Inc"]),
        ("Strunk & White", ["Strunk White"]), ("Ernst and Young", ["Ernst and Young"]),
        ("The Economist", ["The Economist"]),
        ("William of Ockham", ["William of Ockham"]), ("Royal Society", ["Royal Society"]),
        // East Asia.
        ("村上春樹", ["村上春樹"]), ("村上 春樹", ["村上春樹"]), ("村上, 春樹", ["村上春樹"]), ("한 강", ["한강"]), ("한강", ["한강"]),
        ("スティーヴン・キング", ["スティーヴンキング"]),
    ])
    func namesAreSplitIntoParts(name: String, parts: [String]) {
        #expect(key(name) == key(parts))
    }

    @Test(arguments: [
        [
            "Jane Austen", "Charlotte Brontë", "Emily Brontë", "Arthur C. Clarke", "Dante", "Stephen King",
            "J. R. R. Tolkien",
        ],
        ["Van Le", "Ursula K. Le Guin", "Harper Lee", "Stanisław Lem"],
        [
            "King, A.", "King, Stephen", "King, Stephen, Jr.", "Stephen Edwin King", "Stephen King-Hall",
            "Charles Kingsley",
        ],
        ["J. Smith", "J. A. Smith", "Jane Smith", "John Smith", "John Smith Jr.", "John Adam Smith", "Smithers"],
        ["Zola, Émile", "Άννα Ζέη", "Лев Толстой", "نجيب محفوظ", "한강", "村上春樹"],
    ])
    func namesAreInTheOrderOfTheirKeys(names: [String]) {
        for (name, next) in zip(names, names.dropFirst()) {
            #expect(key(name).isBefore(key(next)), "\(name) before \(next)")
        }
    }

    @Test func namesWithoutLettersHaveAKey() {
        #expect(key("").isEmpty)
        for name in ["???", ",", "(", "()", ", ,", "—"] { #expect(!key(name).isEmpty, "\(name)") }
        #expect(!key((0..<100).map { "word\($0)" }.joined(separator: " ")).isEmpty)
        #expect(!key(String(repeating: "(", count: 100)).isEmpty)
    }
}

extension Array<String> {
    /// The collation treats "Ph.D." as two words.
    fileprivate var dots: [String] { map { $0 == "PhD" ? "Ph D" : $0 } }
}
