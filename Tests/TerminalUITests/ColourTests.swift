import Testing

@testable import TerminalUI

@Suite("Colours") struct ColourTests {
    @Test(
        arguments: [
            (16, 0x00_0000), (17, 0x00_005F), (21, 0x00_00FF), (24, 0x00_5F87), (46, 0x00_FF00), (67, 0x5F_87AF),
            (196, 0xFF_0000), (222, 0xFF_D787), (231, 0xFF_FFFF), (232, 0x08_0808), (244, 0x80_8080), (255, 0xEE_EEEE),
        ] as [(UInt8, Int)])
    func aColourOfTheCubeAndAGreyHaveTheSharesThatXtermGivesThem(index: UInt8, rgb: Int) {
        let shares = Colour(index, ofSixteen: 0, ofEight: 0).rgb
        #expect(Int(shares.red) << 16 | Int(shares.green) << 8 | Int(shares.blue) == rgb)
    }

    @Test func eachDepthHasItsOwnNumbers() {
        let colour = Colour(222, ofSixteen: 11, ofEight: 3)
        #expect(Colour.Depth.allCases.map(colour.number(at:)) == [nil, 3, 11, 222, 0xFFD787])
    }

    @Test func blackIsNotMappedToTheEightColours() {
        #expect(Colour(16, ofSixteen: 0, ofEight: 0).number(at: .direct) == 0x010101)
        #expect(Colour(17, ofSixteen: 0, ofEight: 0).number(at: .direct) == 0x00005F)
    }
}
