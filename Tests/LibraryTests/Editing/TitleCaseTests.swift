import Testing

@testable import Library

@Suite("Title case") struct TitleCaseTests {
    @Test(arguments: [
        ("the lord of the rings", "The Lord of the Rings"), ("pride and prejudice", "Pride and Prejudice"),
        ("what dreams are made of", "What Dreams Are Made Of"), ("ON THE ROAD", "On the Road"),
        ("Once Upon A Time", "Once Upon a Time"),
        ("batman vs. the joker", "Batman vs. the Joker"),
        ("emma: a novel", "Emma: A Novel"), ("who is it? the answer", "Who Is It? The Answer"),
        ("emma (a novel)", "Emma (A Novel)"), ("“the end” of it", "“The End” of It"),
        ("london – a biography", "London – A Biography"), ("", ""), ("  a  b ", "  A  B "), ("1984", "1984"),
        ("the 20th century", "The 20th Century"), ("and/or", "And/Or"),
    ])
    func smallWordsAreSmallBetweenOthers(text: String, result: String) { #expect(TitleCase.text(of: text) == result) }

    @Test(arguments: [
        ("don't look back", "Don't Look Back"), ("d’artagnan’s friends", "D’Artagnan’s Friends"),
        ("o'brien at 10 o'clock", "O'Brien at 10 O'Clock"), ("'tis pity", "'Tis Pity"),
        ("WE'LL MEET AGAIN", "We'll Meet Again"), ("rock 'n' roll", "Rock 'N' Roll"),
    ])
    func lettersAfterAnApostropheStaySmall(text: String, result: String) {
        #expect(TitleCase.text(of: text) == result)
    }

    @Test(arguments: [
        ("catch-22 and slaughterhouse-five", "Catch-22 and Slaughterhouse-Five"), ("in-depth", "In-Depth"),
        ("state-of-the-art", "State-of-the-Art"), ("the built-in one", "The Built-In One"),
        ("a twenty‐one gun salute", "A Twenty‐One Gun Salute"),
    ])
    func eachPartOfACompoundHasACapital(text: String, result: String) { #expect(TitleCase.text(of: text) == result) }

    @Test(arguments: [
        ("iPhone and McDonald in the USA", "iPhone and McDonald in the USA"), ("henry VIII", "Henry VIII"),
        ("U.S.A. and me", "U.S.A. and Me"), ("the STANDING stones", "The Standing Stones"),
        ("what I did", "What I Did"), ("Gone WITH the wind", "Gone with the Wind"), ("USA", "USA"),
    ])
    func spellingsOfTheirOwnStay(text: String, result: String) { #expect(TitleCase.text(of: text) == result) }

    @Test(arguments: [
        ("THE LIFE OF HENRY VIII", "The Life of Henry VIII"), ("EMMA", "Emma"), ("I, ROBOT", "I, Robot"),
        ("THE U.S.A. TODAY", "The U.S.A. Today"), ("A MIX OF ALL", "A Mix of All"),
        ("2001: A SPACE ODYSSEY", "2001: A Space Odyssey"), ("THE CATCHER IN THE RYE", "The Catcher in the Rye"),
    ])
    func aTextInCapitalsGetsSmallLetters(text: String, result: String) { #expect(TitleCase.text(of: text) == result) }

    @Test(arguments: [
        ("война и мир", "Война И Мир"), ("ΟΔΥΣΣΕΥΣ", "Οδυσσευς"), ("η ιλιάδα", "Η Ιλιάδα"),
        ("ÉMILE ZOLA", "Émile Zola"),
        ("e\u{301}mile", "E\u{301}mile"), ("源氏物語", "源氏物語"), ("هزار و یک شب", "هزار و یک شب"),
        ("ვეფხისტყაოსანი", "ვეფხისტყაოსანი"), ("ßtadt", "ßtadt"), ("ǆungla", "ǅungla"), ("हिन्दी", "हिन्दी"),
    ])
    func allScriptsAreKept(text: String, result: String) {
        let found = TitleCase.text(of: text)
        #expect(found.unicodeScalars.elementsEqual(result.unicodeScalars), "\(found)")
    }

    @Test func titlesInTitleCaseStay() {
        for title in ["The Left Hand of Darkness", "Emma", "Do Androids Dream of Electric Sheep?", "Catch-22", "Ubik"] {
            #expect(TitleCase.text(of: title) == title)
        }
    }
}
