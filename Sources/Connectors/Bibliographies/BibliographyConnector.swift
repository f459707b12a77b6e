internal import CSystem
internal import ConnectorProtocol
internal import Glibc

/// A bibliography in ISI or a format of EndNote, which a program of bibutils converts to MODS.
final class BibliographyConnector: Connector {
    private let input: SourceInput
    private let format: BibliographyFormat
    private let programName: String
    private let context: RequestContext
    let opened: OpenedSource
    var version: SourceVersion { input.version }

    /// Opens a bibliography; temporary files are created in the scratch directory of `context`. Fails for formats without
    /// a program.
    init?(_ input: SourceInput, _ format: BibliographyFormat, _ context: RequestContext) {
        guard let program = format.program else { return nil }
        programName = program
        self.input = input
        self.format = format
        self.context = context
        let facts = ["encoding": input.encoding.text.name]
        opened = OpenedSource(kind: format.rawValue, profile: "native", facts: facts)
    }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        let file = cs_open_temporary(context.scratch)
        guard file >= 0 else { throw .cannotWrite(context.scratch) }
        defer { close(file) }
        let prepared = try prepare(file)
        lseek(file, 0, SEEK_SET)
        let program = ProgramOutput(isCancelled: { rows.isCancelled() })
        try program.start([programName, "-un", "-i", "utf8"], input: file)
        let isWhole = try XMLConnector.copy(program, .mods, inventsIDs: true, to: rows)
        try program.finish()
        if let missing = prepared.entryCount.map({ $0 - rows.count - rows.skippedCount }), missing > 0 {
            rows.note(.malformed, detail: program.message, count: missing)
        } else if let message = program.message, !prepared.isCut {
            rows.note(.foreign, detail: message)
        }
        rows.note(prepared.encodingErrors)
        if prepared.isCut { rows.note(.cut, at: .record(max(1, prepared.entryCount ?? rows.count))) }
        return isWhole && !prepared.isCut
    }

    /// Facts about the text prepared for the program.
    private struct Prepared {
        /// The number of entries, if the format shows it.
        var entryCount: Int?
        /// The lines with bytes that do not belong to the encoding.
        var encodingErrors: (count: Int, first: Int)
        /// Whether the source was cut off.
        var isCut: Bool
    }

    /// The number of last bytes of a text that show whether it is complete.
    private static let tailLength = 128

    /// Writes the text in a form that the program can read: in UTF-8, without characters that are invalid in XML.
    private func prepare(_ file: Int32) throws(ConnectorFailure) -> Prepared {
        let text = try ConvertedText(input)
        var references = EndNoteXMLText()
        var tail: [UInt8] = []
        var size = 0
        while true {
            var part = try text.read(upTo: 1 << 16)
            if part.isEmpty { break }
            tail = (tail + part.suffix(Self.tailLength)).suffix(Self.tailLength)
            if format == .endnoteXML { part = references.prepared(part) }
            size += part.count
            try context.limit.check(size, of: file)
            try write(part, to: file)
        }
        // endx2xml overlooks a reference in the last line.
        if format == .endnoteXML { try write([0x0A], to: file) }
        return Prepared(
            entryCount: format == .endnoteXML ? references.count : nil, encodingErrors: text.encodingErrors,
            isCut: text.isCut || !format.hasEnd(in: tail))
    }

    private func write(_ bytes: [UInt8], to file: Int32) throws(ConnectorFailure) {
        guard TextConversion.write(bytes, to: file) else { throw .cannotWrite(context.scratch) }
    }
}

/// The output of a program, which is killed after a time-out.
private final class ProgramOutput: ByteSource {
    private let isCancelled: () -> Bool
    private var name = ""
    private var child: pid_t = 0
    private var output: Int32 = -1
    private var errors: Int32 = -1
    private var messages: [UInt8] = []
    private var lastOutput: Int64 = 0
    let isCut = false

    /// The time without output after which the program is killed, in milliseconds.
    private static let outputTimeout: Int64 = 60_000

    init(isCancelled: @escaping () -> Bool) { self.isCancelled = isCancelled }

    deinit { end() }

    /// The first message of the program, if any.
    var message: String? {
        let lines = String(decoding: messages, as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.first { !$0.contains("Processed") && !$0.allSatisfy(\.isWhitespace) }.map {
            String($0.prefix(200))
        }
    }

    /// Starts the program with a file as standard input.
    func start(_ arguments: [String], input: Int32) throws(ConnectorFailure) {
        name = arguments[0]
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        let code = cs_start_piped(&pointers, input, &child, &output, &errors)
        guard code == 0 else {
            child = 0
            throw code == ENOENT
                ? ConnectorFailure(.helper, .noProgram, detail: name)
                : ConnectorFailure(.helper, .programFailed, detail: name)
        }
        lastOutput = cs_now()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectorFailure) -> Int {
        while output >= 0 {
            if isCancelled() { throw ConnectorFailure(.cancelled) }
            guard cs_now() - lastOutput < Self.outputTimeout else {
                throw ConnectorFailure(.format, .timeOut, detail: name)
            }
            var polled = [
                pollfd(fd: output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&polled, 2, 100) > 0 else { continue }
            if polled[1].revents != 0 { readMessages() }
            guard polled[0].revents != 0 else { continue }
            let count = Glibc.read(output, buffer.baseAddress, buffer.count)
            if count > 0 {
                lastOutput = cs_now()
                return count
            }
            if count < 0, errno == EINTR { continue }
            return 0
        }
        return 0
    }

    private func readMessages() {
        var part = [UInt8](repeating: 0, count: 4096)
        let count = part.withUnsafeMutableBytes { Glibc.read(errors, $0.baseAddress, $0.count) }
        if count <= 0 {
            close(errors)
            errors = -1
        } else if messages.count < 1 << 16 {
            messages += part.prefix(count)
        }
    }

    /// Waits until the program exits, after it has closed its output.
    func finish() throws(ConnectorFailure) {
        while errors >= 0 { readMessages() }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        child = 0
        if status != 0 { throw ConnectorFailure(.format, .programFailed, subject: name, detail: message) }
    }

    private func end() {
        if child > 0 {
            kill(child, SIGKILL)
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
        }
        for descriptor in [output, errors] where descriptor >= 0 { close(descriptor) }
    }
}
