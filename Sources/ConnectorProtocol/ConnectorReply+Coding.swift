internal import JSON

extension ConnectorReply {
    /// This reply as a line, without a line end.
    public var line: [UInt8] {
        var message = ObjectWriter()
        message.add("re", JSONValue(request))
        switch content {
        case .ended(let end):
            message.add("end", .boolean(true))
            end.add(to: &message)
        case .failed(let failure): failure.add(to: &message)
        case .progress(let progress):
            message.add(
                "progress",
                .object(
                    [
                        ("rows", progress.rows), ("of", progress.total), ("bytes", progress.bytes),
                        ("received", progress.received), ("size", progress.size),
                    ].compactMap { key, number in
                        number.map { JSONValue.Member(key: key, value: JSONValue($0)) }
                    }))
        case .waiting: message.add("waiting", .boolean(true))
        case .asked(let question):
            message.add("ask", "credential")
            message.add("realm", question.realm)
            message.add("origin", question.origin.description)
            if question.isRepeated { message.add("repeated", .boolean(true)) }
            if question.isNetrcIgnored { message.add("netrcIgnored", .boolean(true)) }
            message.add("title", question.instructions?.title)
            message.add("description", question.instructions?.description)
            message.add("userLabel", question.instructions?.userLabel)
            message.add("secretLabel", question.instructions?.secretLabel)
        case .rows(let page):
            message.add("rows", .array(page.rows))
            message.add("from", JSONValue(page.first))
            message.add("generation", JSONValue(page.generation))
        case .refused(let rows): message.add("refused", .array(rows.map(\.json)))
        }
        return message.ended()
    }

    /// Parses a reply from a line.
    ///
    /// - Throws: `ConnectorFailure` of the kind `request` if the line is not a reply.
    public init(parsing line: some Collection<UInt8>) throws(ConnectorFailure) {
        let message = try JSONValue(message: line)
        let request = try message.number("re")
        if let error = message["error"] {
            self.init(to: request, .failed(try ConnectorFailure(error, in: message)))
        } else if message["end"]?.boolean == true {
            self.init(to: request, .ended(try End(in: message)))
        } else if let progress = message["progress"] {
            self.init(
                to: request,
                .progress(
                    CopyProgress(
                        rows: try progress.number("rows"), total: progress["of"]?.asCount,
                        bytes: try progress.byteCount("bytes"), received: progress["received"]?.asByteCount,
                        size: progress["size"]?.asByteCount)))
        } else if message["waiting"]?.boolean == true {
            self.init(to: request, .waiting)
        } else if message["ask"]?.string == "credential" {
            guard let origin = ServerOrigin(of: try message.text("origin")) else {
                throw ConnectorFailure(.request, .member, detail: "origin")
            }
            let question = CredentialQuestion(
                realm: try message.optionalText("realm"), origin: origin,
                isRepeated: message["repeated"]?.boolean ?? false,
                isNetrcIgnored: message["netrcIgnored"]?.boolean ?? false,
                instructions: try message.optionalText("title").map { title in
                    SignInInstructions(
                        title: title, description: message["description"]?.string,
                        userLabel: message["userLabel"]?.string, secretLabel: message["secretLabel"]?.string)
                })
            self.init(to: request, .asked(question))
        } else if let rows = message["rows"]?.elements {
            let page = PageRows(
                rows: rows, first: try message.number("from"), generation: try message.number("generation"))
            self.init(to: request, .rows(page))
        } else if let refused = message["refused"]?.elements {
            self.init(
                to: request, .refused(try refused.map { row throws(ConnectorFailure) in try RefusedRow(in: row) }))
        } else {
            throw ConnectorFailure(.request, .unknownRequest)
        }
    }
}

extension ConnectorReply.End {
    fileprivate func add(to message: inout ObjectWriter) {
        switch self {
        case .done: break
        case .greeted(let greeting):
            message.add("protocol", JSONValue(greeting.version))
            message.add("kinds", JSONValue(greeting.kinds))
            greeting.confinement.add(to: &message)
        case .opened(let source): source.add(to: &message)
        case .mirrored(let copy):
            message.add("rows", JSONValue(copy.rows))
            message.add("bytes", JSONValue(copy.bytes))
            message.add("complete", .boolean(copy.isComplete))
            message.add("etag", copy.version.etag)
            message.add("modified", copy.version.modified)
            if !copy.defects.isEmpty { message.add("defects", .array(copy.defects.map(\.json))) }
            if !copy.places.isEmpty {
                let places = copy.places.sorted { $0.key < $1.key }.map { row, place in
                    JSONValue.object([.init(key: "row", value: JSONValue(row)), place.member])
                }
                message.add("places", .array(places))
            }
        case .paged(let end): end.add(to: &message)
        case .exported(let rows): message.add("exported", JSONValue(rows))
        case .converted(let encoding): message.add("converted", encoding)
        case .published(let sent, let counted, let statements):
            message.add("sent", JSONValue(sent))
            message.add("counted", counted.map { JSONValue($0) })
            if !statements.isEmpty { message.add("statements", JSONValue(statements)) }
        case .pictured(let picture): picture.add(to: &message)
        }
    }

    /// Parses a result, whose members determine the request that it belongs to.
    fileprivate init(in message: JSONValue) throws(ConnectorFailure) {
        if message["protocol"] != nil {
            self = .greeted(
                Greeting(
                    version: try message.number("protocol"), kinds: try message.texts("kinds"),
                    confinement: Confinement(in: message)))
        } else if message["mode"] != nil {
            self = .opened(try OpenedSource(in: message))
        } else if message["complete"] != nil {
            self = .mirrored(
                MirroredCopy(
                    rows: try message.number("rows"), bytes: try message.byteCount("bytes"),
                    isComplete: message["complete"]?.boolean ?? false, version: SourceVersion(in: message),
                    defects: (message["defects"]?.elements ?? []).compactMap(SourceDefect.init(in:)),
                    places: Dictionary(
                        (message["places"]?.elements ?? []).compactMap { place in
                            guard let row = place["row"]?.asCount, let found = SourcePlace(in: place) else {
                                return nil
                            }
                            return (row, found)
                        }, uniquingKeysWith: { $1 })))
        } else if message["partial"] != nil {
            self = .paged(try PageEnd(in: message))
        } else if message["exported"] != nil {
            self = .exported(rows: try message.number("exported"))
        } else if let encoding = message["converted"]?.string {
            self = .converted(encoding: encoding)
        } else if message["cells"] != nil {
            self = .pictured(try CoverPicture(in: message))
        } else if message["sent"] != nil {
            self = .published(
                sent: try message.number("sent"), counted: message["counted"]?.asCount,
                statements: message["statements"] == nil ? [] : try message.texts("statements"))
        } else {
            self = .done
        }
    }
}

extension ConnectorFailure {
    fileprivate func add(to message: inout ObjectWriter) {
        message.add("error", kind.rawValue)
        message.add("reason", reason?.rawValue)
        message.add("subject", subject)
        message.add("detail", detail)
        if let member = place?.member { message.add(member.key, member.value) }
        message.add("after", retryAfter.map { JSONValue($0) })
    }

    /// Parses a failure; an unknown kind of a newer connector becomes `helper`, and an unknown reason none.
    fileprivate init(_ error: JSONValue, in message: JSONValue) throws(ConnectorFailure) {
        guard let name = error.string else { throw ConnectorFailure(.request, .member, detail: "error") }
        self.init(
            Kind(rawValue: name) ?? .helper, message["reason"]?.string.flatMap(Reason.init(rawValue:)),
            subject: message["subject"]?.string, detail: message["detail"]?.string, at: SourcePlace(in: message),
            retryAfter: message["after"]?.integer?.clampedDelay)
    }
}
