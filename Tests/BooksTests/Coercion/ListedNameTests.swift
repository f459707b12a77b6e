import Testing
import Text

@testable import Books

@Suite("Coercion: several names in one text") struct ListedNameTests {
    private func names(_ text: String) -> [String] { ListedName.names(in: text).map(\.text) }

    @Test(arguments: [
        ("Ann Alpha; Bob Beta", ["Ann Alpha", "Bob Beta"]), ("Alpha, Ann; Beta, Bob", ["Alpha, Ann", "Beta, Bob"]),
        ("Ann Alpha\nBob Beta", ["Ann Alpha", "Bob Beta"]), ("Ann Alpha|Bob Beta|", ["Ann Alpha", "Bob Beta"]),
        ("Plato; Aristotle", ["Plato", "Aristotle"]), ("夏目漱石、村上春樹", ["夏目漱石", "村上春樹"]),
        ("نجيب محفوظ؛ طه حسين", ["نجيب محفوظ", "طه حسين"]),
        ("Simon & Schuster, Inc.; Ann Alpha", ["Simon & Schuster, Inc.", "Ann Alpha"]),
    ])
    func whatNoNameContainsSeparatesNames(text: String, expected: [String]) { #expect(names(text) == expected) }

    @Test(arguments: [
        ("Neil Gaiman & Terry Pratchett", ["Neil Gaiman", "Terry Pratchett"]),
        ("Neil Gaiman and Terry Pratchett", ["Neil Gaiman", "Terry Pratchett"]),
        ("NEIL GAIMAN AND TERRY PRATCHETT", ["NEIL GAIMAN", "TERRY PRATCHETT"]),
        ("J.K. Rowling/Mary GrandPré", ["J.K. Rowling", "Mary GrandPré"]),
        ("Günter Grass und Heinrich Böll", ["Günter Grass", "Heinrich Böll"]),
        ("Jean Dupont et Marie Curie", ["Jean Dupont", "Marie Curie"]),
        ("Maj Sjöwall och Per Wahlöö", ["Maj Sjöwall", "Per Wahlöö"]),
        ("Аркадий Стругацкий и Борис Стругацкий", ["Аркадий Стругацкий", "Борис Стругацкий"]),
        ("김영하 & 한강", ["김영하", "한강"]), ("Mao Zedong and Zhou Enlai", ["Mao Zedong", "Zhou Enlai"]),
        ("Ngũgĩ wa Thiong'o and Mĩcere Mũgo", ["Ngũgĩ wa Thiong'o", "Mĩcere Mũgo"]),
        ("José Ortega y Gasset & María Zambrano", ["José Ortega y Gasset", "María Zambrano"]),
        ("Ann Alpha, Bob Beta, and Cy Gamma", ["Ann Alpha", "Bob Beta", "Cy Gamma"]),
        ("Alpha, Ann and Beta, Bob", ["Alpha, Ann", "Beta, Bob"]),
        ("Le Guin, Ursula K. & Vonnegut, Kurt", ["Le Guin, Ursula K.", "Vonnegut, Kurt"]),
        ("Martin Luther King, Jr. and Coretta Scott King", ["Martin Luther King, Jr.", "Coretta Scott King"]),
    ])
    func aConjunctionSeparatesWholeNames(text: String, expected: [String]) { #expect(names(text) == expected) }

    @Test(arguments: [
        ("Ann Alpha, Bob Beta, Cy Gamma", ["Ann Alpha", "Bob Beta", "Cy Gamma"]),
        ("Ann Alpha, Bob Beta III, Cy Gamma, Jr.", ["Ann Alpha", "Bob Beta III", "Cy Gamma, Jr."]),
        ("Suzanne Collins, Mary GrandPré (Illustrator)", ["Suzanne Collins", "Mary GrandPré (illustrator)"]),
        ("Tolkien, J. R. R., Lewis, C. S.", ["Tolkien, J. R. R.", "Lewis, C. S."]),
    ])
    func commasSeparateWhatIsMoreThanOneName(text: String, expected: [String]) { #expect(names(text) == expected) }

    /// Companies, one person, and what may be either.
    @Test(arguments: [
        "Simon and Schuster, Inc.", "Ernst & Young", "Barnes & Noble", "Harper & Row, Publishers", "John Wiley & Sons",
        "Farrar, Straus and Giroux", "Houghton, Mifflin and Company", "Smith, Jones & Co.", "O'Reilly Media, Inc.",
        "Center for Arts and Sciences", "Food and Agriculture Organization", "University of Chicago and Ann Alpha",
        "The Beatles and Bob Beta", "AT&amp;T Labs", "AC/DC", "Oxford University Press and Bob Beta",
        "Arkady and Boris Strugatsky", "Will and Ariel Durant", "Peter, Paul and Mary",
        "Voltaire and Émilie du Châtelet",
        "José Ortega y Gasset", "Santiago Ramón y Cajal", "Karl von und zu Guttenberg", "Le Guin, Ursula K.",
        "García Márquez, Gabriel José", "Neil Gaiman, Terry Pratchett", "Saint Exupéry, Antoine de, comte français",
        "Alpha, Adam, Jr.", "Smith, John, III", "Sammy Davis, Jr.", "Anderson", "Anders And", "2000 AD",
        "Ann Alpha et al.",
        "Plato, Aristotle, Homer, Virgil", "Sukarno & Hatta", "Alpha, Ann, and Bob Beta", "村上, 春樹", "bell hooks",
    ])
    func whatMayBeOneNameStaysWhole(text: String) { #expect(names(text) == [text]) }

    @Test func datesAndRolesAreNoPartsOfNames() {
        let names = ListedName.names(
            in:
                "Carroll, Lewis, 1832-1898; Tenniel, John, 1820-1914 [Illustrator]; Plato, 427? BCE-347? BCE; Ann Alpha (1950–)"
        )
        #expect(names.map(\.name) == ["Carroll, Lewis", "Tenniel, John", "Plato", "Ann Alpha"])
        #expect(names.map(\.role) == [nil, "illustrator", nil, nil])
        #expect(names.map(\.isAuthor) == [true, false, true, true])
        #expect(ListedName.names(in: "Suzanne Collins (Goodreads Author)").map(\.text) == ["Suzanne Collins"])
        #expect(ListedName.names(in: "Prince (Musician)").map(\.text) == ["Prince (Musician)"])
    }

    @Test(arguments: [
        "", " ", ";", " ; | \n", "and", "&", ",,", "(", "[]", "(Editor)", ", 1990", "; and", "Ann  Alpha ", "x,1990",
    ])
    func unusualTextsHaveNamesOrNone(text: String) {
        for name in ListedName.names(in: text) { #expect(!name.name.isEmpty && name.name.onOneLine == name.name) }
    }
}
