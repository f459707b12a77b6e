import Testing

@testable import Books

@Suite("Stars and years") struct StarRatingTests {
    @Test(arguments: [
        (4.5, "★★★★½", "4.5"), (4.2, "★★★★☆", "4"), (4.8, "★★★★★", "5"), (0, "☆☆☆☆☆", "0"), (0.5, "½☆☆☆☆", "0.5"),
        (9, "★★★★★", "5"), (-1, "☆☆☆☆☆", "0"), (.nan, "☆☆☆☆☆", "0"), (.infinity, "★★★★★", "5"),
    ])
    func aRatingHasHalfStars(rating: Double, text: String, number: String) {
        #expect(StarRating(rating).text == text && StarRating(rating).number == number)
    }

    @Test func yearsBeforeChristAreNamed() {
        #expect(PartialDate.name(ofYear: -350) == "350 BC" && PartialDate.name(ofYear: 1815) == "1815")
    }
}
