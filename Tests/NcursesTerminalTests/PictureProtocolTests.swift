import Foundation
import TerminalUI
import Testing

@testable import NcursesTerminal

@Suite("Terminal: what it can show") struct PictureProtocolTests {
    private let size = Size(rows: 10, columns: 30)

    private func result(_ answers: [ProbeAnswer]) -> ProbeResult? {
        var probe = PictureProbe(known: nil)
        #expect(probe.ask(at: 0).hasSuffix("\u{1B}[c") && probe.ask(at: 1).isEmpty)
        for answer in answers { probe.take(answer, size: size) }
        return probe.result
    }

    @Test(arguments: [
        ("kitty(0.28.0)", PictureSupport.Form.placeholders), ("kitty(0.27.9)", .kitty), ("kitty(1.0)", .placeholders),
        ("ghostty 1.1.0", .placeholders), ("Konsole 24.08", .kitty), ("", .kitty),
    ])
    func aTerminalWithGraphicsHasThePlaceholdersOfItsVersion(version: String, form: PictureSupport.Form) {
        #expect(result([.graphics(true), .version(version), .attributes([62])])?.form == form)
    }

    @Test func aTerminalWithoutGraphicsHasSixelsOrCells() throws {
        #expect(result([.attributes([62, 4])])?.form == .sixel)
        #expect(result([.graphics(false), .attributes([4])])?.form == .cells)
        #expect(result([.window(height: 200, width: 300), .attributes([1])])?.cellPixels?.width == 10)
    }

    @Test func answersThatAreLateUnaskedOrDoubledDoNothing() {
        var probe = PictureProbe(known: nil)
        probe.take(.attributes([62, 4]), size: size)
        #expect(probe.result == nil)
        _ = probe.ask(at: 0)
        probe.endIfLate(at: PictureProbe.timeLimit - 1, size: size)
        #expect(probe.result == nil)
        probe.endIfLate(at: PictureProbe.timeLimit, size: size)
        #expect(probe.result?.form == .cells)
        probe.take(.graphics(true), size: size)
        probe.take(.attributes([62, 4]), size: size)
        #expect(probe.result?.form == .cells && probe.timeLeft(at: 0) == nil)
    }

    @Test(arguments: [
        ("1 kitty(0.28.0)\n", PictureSupport.Form.placeholders, "kitty"),
        ("on ghostty 1.1.0\n", .placeholders, "ghostty"), ("all kitty(0.35.2)", .placeholders, "kitty"),
        ("0 kitty(0.35.2)\n", .cells, "kitty"), ("off kitty(0.35.2)\n", .cells, "kitty"),
        ("1 kitty(0.26.5)\n", .cells, "kitty"), ("1 foot(1.13.1)\n", .cells, "foot"), ("1 \n", .cells, ""),
        (" kitty(0.35.2)\n", .cells, "kitty"), ("", .cells, ""), ("no server running\n", .cells, "server"),
    ])
    func tmuxShowsPlaceholdersIfItPassesThemToATerminalThatHasThem(
        line: String, form: PictureSupport.Form, name: String
    ) {
        let result = TmuxQuestion.result(of: line)
        #expect(result.form == form && result.name == name)
    }

    @Test func aResultIsATextAndBack() {
        for text in ["kitty 0.35.2 placeholders 10x20", "? ? cells ?", "foot 1.13.1 sixel 8x17"] {
            #expect(ProbeResult(text)?.text == text)
        }
        for text in ["", "kitty", "kitty 1 pictures ?", "a b c d e"] { #expect(ProbeResult(text) == nil) }
        #expect(ProbeResult(name: "a b\u{1B}[m", version: "", form: .cells).text == "abm ? cells ?")
    }

    @Test func theTableOfMarksIsThatOfUnicode6() {
        #expect(KittyDiacritics.all.count == 297 && Set(KittyDiacritics.all).count == 297)
        #expect(KittyDiacritics.all[0] == "\u{305}" && KittyDiacritics.all[1] == "\u{30D}")
        #expect(KittyDiacritics.all.last == "\u{1D244}")
        #expect(KittyDiacritics.all.allSatisfy { $0.properties.canonicalCombiningClass == .above })
    }

    @Test("A file in chunks is the same file, and the longest unused one makes room")
    func kitty() throws {
        let cell = PictureCell(symbol: " ", foreground: 0, background: 0)
        let file = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let pictures = try (0..<3).map { _ in
            try #require(
                Picture(
                    size: Size(rows: 1, columns: 1), cells: [cell], pixels: .png(file, width: 100, height: 100)))
        }
        var kitty = KittyGraphics(isInTmux: false, capacity: 80_000)
        var output: [UInt8] = []
        for picture in pictures.prefix(2) {
            kitty.beginFrame()
            #expect(kitty.store(picture, forPlaceholders: true, to: &output))
        }
        var screen = EmulatedScreen(rows: 2, columns: 2)
        _ = screen.feed(output[...])
        #expect(screen.defects.isEmpty && screen.pictures[Int(pictures[0].id)] == file)
        let length = output.count
        #expect(kitty.store(pictures[1], forPlaceholders: true, to: &output) && output.count == length)
        kitty.beginFrame()
        #expect(kitty.store(pictures[2], forPlaceholders: true, to: &output))
        #expect(kitty.ids == [pictures[1].id, pictures[2].id])
        kitty.keep(pictures[1])
        #expect(!kitty.store(pictures[0], forPlaceholders: true, to: &output))
        output += kitty.deletion.utf8
        _ = screen.feed(output[length...])
        #expect(screen.pictures.isEmpty && kitty.shortDeletion.utf8.count < 500)
    }

    @Test("Two slow frames in a row reduce the pictures, but neither small nor stopped ones")
    func speed() {
        func level(_ frames: [(bytes: Int, time: Int)]) -> OutputSpeed.Level {
            var speed = OutputSpeed()
            for (bytes, time) in frames {
                var frame = OutputSpeed.Frame(at: 0)
                frame.add(bytes, at: time)
                speed.take(frame, at: time)
            }
            return speed.level
        }
        #expect(level([(100_000, 1000)]) == .everything)
        #expect(level([(100_000, 1000), (100_000, 1000)]) == .cells)
        #expect(level([(15_000, 1000), (15_000, 1000)]) == .nothing)
        #expect(level([(15_000, 1000), (100_000, 1000)]) == .cells)
        #expect(level([(100_000, 1000), (300_000, 1000), (100_000, 1000)]) == .everything)
        #expect(level([(100, 1000), (100, 1000), (100, 1000)]) == .everything)
        #expect(level([(100_000, 5000), (100_000, 5000)]) == .everything)
    }
}
