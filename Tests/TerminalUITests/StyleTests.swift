import Testing

@testable import TerminalUI

@Suite("Styles") struct StyleTests {
    @Test func plainIsTextLikeMostOnTheScreen() {
        #expect(Style.plain == Style(.plain, on: .window, isHighlighted: false))
    }

    @Test func anotherSurfaceKeepsTheRest() {
        #expect(
            Style(.sign, on: .bar, isHighlighted: true).on(.selection)
                == Style(.sign, on: .selection, isHighlighted: true))
    }

    @Test func aHighlightKeepsRoleAndSurface() {
        #expect(Style(.warning, on: .popup).highlighted == Style(.warning, on: .popup, isHighlighted: true))
    }
}
