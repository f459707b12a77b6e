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

    @Test("Half a star is exact, and anything else is none", arguments: [0, 0.5, 4.5, 5])
    func exactStars(stars: Double) throws {
        let rating = try #require(StarRating(exactly: stars))
        #expect(rating.stars == stars && StarRating(whole: rating.whole, hasHalf: rating.hasHalf) == rating)
        for wrong in [stars + 0.25, stars - 5.5, stars + 5.5, .nan, .infinity] {
            #expect(StarRating(exactly: wrong) == nil)
        }
    }

    @Test("A rating changes by half stars within 0 to 5, and no stars are no rating") func steps() {
        #expect(StarRating?.none.changed(byHalves: 1)?.text == "½☆☆☆☆")
        #expect(StarRating?.some(StarRating(halves: 1)).changed(byHalves: -1) == nil)
        #expect(StarRating?.none.changed(byHalves: -1) == nil)
        #expect(StarRating?.some(StarRating(halves: 10)).changed(byHalves: 1)?.halves == 10)
        #expect(StarRating(halves: 9).filled == "★★★★½")
    }

    @Test func yearsBeforeChristAreNamed() {
        #expect(PartialDate.name(ofYear: -350) == "350 BC" && PartialDate.name(ofYear: 1815) == "1815")
    }
}
