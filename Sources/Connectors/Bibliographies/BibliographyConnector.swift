internal import CSystem
internal import ConnectorProtocol
internal import Glibc

/// A bibliography in BibTeX, BibLaTeX, RIS or a format of EndNote, which a program of bibutils converts to MODS.
final class BibliographyConnector: Connector {
    private let input: SourceInput
    private let format: BibliographyFormat
    private let context: RequestContext
    private let encoding: TextEncoding
    let opened: OpenedSource
    var version: SourceVersion { input.version }

    /// Opens a bibliography in a recognized format; temporary files are created in the scratch directory of `context`.
    init(_ input: SourceInput, _ format: BibliographyFormat, _ context: RequestContext) {
        self.input = input
        self.format = format
        self.context = context
        encoding = TextEncoding.detect(in: input.prefix).encoding
        opened = OpenedSource(kind: format.rawValue, profile: "native", facts: ["encoding": encoding.rawValue])
    }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        let source = input.content()
        let file = cs_open_temporary(context.scratch)
        guard file >= 0 else { throw .cannotWrite(context.scratch) }
        defer { close(file) }
        let prepared = try prepare(source, in: file)
        lseek(file, 0, SEEK_SET)
        let program = ProgramOutput(isCancelled: { rows.isCancelled() })
        try program.start([format.program, "-un", "-i", "utf8"], input: file)
        let isWhole = try XMLConnector.copy(program, .mods, inventsIDs: !format.isBibTeX, to: rows)
        try program.finish()
        if let missing = prepared.entryCount.map({ $0 - rows.count - rows.skippedCount }), missing > 0 {
            rows.note(.malformed, detail: program.message, count: missing)
        } else if let message = program.message, !prepared.isCut {
            rows.note(.foreign, detail: message)
        }
        rows.note(prepared.faults)
        if prepared.unclosed.count > 0 {
            rows.note(.unclosed, at: .record(prepared.unclosed.first), count: prepared.unclosed.count)
        }
        if prepared.isCut { rows.note(.cut, at: .record(max(1, prepared.entryCount ?? rows.count))) }
        return isWhole && !prepared.isCut
    }

    /// Facts about the text prepared for the program.
    private struct Prepared {
        /// The number of entries, if the format shows it.
        var entryCount: Int?
        /// The lines with bytes that do not belong to the encoding.
        var faults: (count: Int, first: Int)
        /// The unclosed entries of BibTeX: their number, and the position of the first one.
        var unclosed: (count: Int, first: Int)
        /// Whether the source was cut off.
        var isCut: Bool
    }

    /// The number of last bytes of a text that show whether it is complete.
    private static let tailLength = 128

    /// Writes the text in a form that the program can read: in UTF-8, without characters that are invalid in XML.
    private func prepare(_ source: any ByteSource, in file: Int32) throws(ConnectorFailure) -> Prepared {
        let (encoding, markLength) = TextEncoding.detect(in: input.prefix)
        _ = try source.read(upTo: markLength)
        // Text that claims to be UTF-8 is converted, too, because bib2xml writes invalid XML for invalid bytes.
        let isUTF16 = encoding == .utf16LittleEndian || encoding == .utf16BigEndian
        let text = ConvertedText(isUTF16 ? encoding.decoded(source) : source, from: isUTF16 ? .utf8 : encoding)
        var entries = BibTeXText()
        var lines = RISText()
        var references = EndNoteXMLText()
        var tail: [UInt8] = []
        var size = 0
        while true {
            var part = try text.read(upTo: 1 << 16)
            if part.isEmpty { break }
            tail = (tail + part.suffix(Self.tailLength)).suffix(Self.tailLength)
            if format.isBibTeX { part = entries.prepared(part) }
            if format == .ris { part = lines.prepared(part) }
            if format == .endnoteXML { part = references.prepared(part) }
            size += part.count
            try context.limit.check(size, of: file)
            try write(part, to: file)
        }
        if format == .ris { try write(lines.end(), to: file) }
        // endx2xml overlooks a reference in the last line.
        if format == .endnoteXML { try write([0x0A], to: file) }
        let counts: [BibliographyFormat: Int] = [
            .bibtex: entries.count, .biblatex: entries.count, .ris: lines.count, .endnoteXML: references.count,
        ]
        return Prepared(
            entryCount: counts[format],
            faults: text.faults, unclosed: entries.unclosed,
            isCut: text.isCut || entries.isOpen || lines.isCut || !format.hasEnd(in: tail))
    }

    private func write(_ bytes: [UInt8], to file: Int32) throws(ConnectorFailure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(file, $0.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count < 0, errno != EINTR { throw .cannotWrite(context.scratch) }
            if count > 0 { written += count }
        }
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
