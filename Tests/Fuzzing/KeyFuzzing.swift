import TerminalUI

@testable import Browser
@testable import NcursesTerminal

/// The input from the terminal and the output to it: characters, mouse reports, keys and sequences.
func readAsTerminal(_ bytes: [UInt8]) {
    var decoder = UTF8Decoder()
    var report = MouseReport()
    var interpreter = KeyInterpreter(bindings)
    var editor = LineEditor(history: ["one", "two"])
    for byte in bytes {
        if let scalar = decoder.decode(byte) { type(key(of: scalar), in: &interpreter, &editor) }
        switch report.take(byte) {
        case .isPart: break
        case .isEnd(let mouse):
            if let position = mouse?.position { precondition(position.row >= 0 && position.column >= 0) }
            report = MouseReport()
        case .isForeign: report = MouseReport()
        }
    }
    editor.insert(String(decoding: bytes, as: UTF8.self))
    precondition((0...editor.text.count).contains(editor.cursor))
    var canvas = Canvas(size: Size(rows: 2, columns: 7))
    editor.draw(on: &canvas, row: 0, column: 1, width: 5, isFocused: true)
    canvas.write(String(decoding: bytes, as: UTF8.self), row: 1, column: 0)
}

/// Created once, because that takes longer than everything else.
private let bindings = KeyBindings.standard

private func type(_ key: Key, in interpreter: inout KeyInterpreter, _ editor: inout LineEditor) {
    if case .request(let request) = interpreter.interpret(key, in: .books) {
        precondition(request.count.map { $0 > 0 } ?? true)
    }
    _ = interpreter.pendingText
    _ = editor.react(to: key)
    precondition((0...editor.text.count).contains(editor.cursor), "the cursor is outside of the text")
}

/// Keys with names stand for control characters, so that all of them occur.
private func key(of scalar: Unicode.Scalar) -> Key {
    let named: [Key] = [
        .enter, .escape, .tab, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .backspace, .delete,
    ]
    let value = Int(scalar.value)
    return value < named.count ? named[value] : value < 0x20 ? .control("u") : .character(Character(scalar))
}
