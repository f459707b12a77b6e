import Foundation
import Testing

/// Links are opened in the user's browser. It gets exactly one argument, a web link, or is not started.
@Suite("On a terminal: links") struct Links {
    let sandbox: Sandbox
    let links: LinkRecorder

    init() throws {
        sandbox = try Sandbox()
        links = try LinkRecorder(in: sandbox)
    }

    /// Links that must not be opened: dangerous schemes, several arguments, options, or code.
    static let hostile = [
        "file:///etc/passwd", "file://localhost/etc/passwd", "javascript:alert(1)", "data:text/html,<script>1</script>",
        "ftp://example.org/a", "ssh://example.org", "telnet://example.org", "mailto:a@example.org", "about:blank",
        "vbscript:x", "chrome://settings", "view-source:file:///etc/passwd", "smb://host/share", "-new-window",
        "--help",
        "-", "--", "-http:example.org", "--url=http:/example.org", "http:", "http:/", "http://", "https://",
        "http:example.org", "http:///etc/passwd", "http://-option.example.org", "https://--help", "http://.",
        "http://?a",
        "http://#a", "https:// example.org", "https://\u{9}example.org", "https://\"example.org\"", "https://'example'",
        "https://<example.org>", "https://`id`", "https://$(id)", "https://;id", "https://&id", "https://|id",
        "https://\\example.org", "https://{a,b}", "https://^a", "https://*", "https://(id)", "https://!id", "https://@",
        "https://:80", "https:// --help", "\\\\host\\share",
    ]

    @Test func noHostileLinkIsOpened() throws {
        try #require(Set(Self.hostile).count == 50)
        let records = try Self.hostile.map { link in
            let text = try String(decoding: JSONSerialization.data(withJSONObject: [link]), as: UTF8.self)
            return #"{"title": "T", "authors": ["A"], "url": \#(text.dropFirst().dropLast())}"#
        }
        let catalog = try sandbox.write("[" + records.joined(separator: ",\n") + "]", to: "hostile.json")
        let terminal = try Tmux(in: sandbox, opening: catalog, changing: links.usersBrowser)
        for row in 1...Self.hostile.count {
            try terminal.wait(forPosition: "\(row)/50")
            try terminal.type("o")
            try terminal.wait(for: "an answer to \(Self.hostile[row - 1])") {
                $0.status.contains("This book has no web link")
            }
            try terminal.type("j")
        }
        // If a program had been started before, this one would be the second.
        try openFirst(of: #"[{"title": "T", "url": "https://example.org/"}]"#, in: terminal)
        #expect(try links.opened(count: 1) == [["https://example.org/"]])
    }

    private func openFirst(of text: String, in terminal: Tmux) throws {
        try terminal.open(sandbox.write(text, to: "link.json"), changing: links.usersBrowser)
        try terminal.wait(forPosition: "1/1")
        try terminal.type("o")
        try terminal.wait(for: "Opened ")
    }

    @Test(arguments: [
        ("https://example.org/a?b=c&d=$(id);e", "https://example.org/a?b=c&d=%24(id);e"),
        ("HTTP://Example.org/-x --help", "http://Example.org/-x"),
        ("see http://example.org/a.", "http://example.org/a"),
        ("https://example.org/ü", "https://example.org/%C3%BC"),
        ("javascript:https://example.org/x", "https://example.org/x"),
    ])
    func aLinkIsOneArgumentAndNotAnOption(text: String, link: String) throws {
        let catalog = try sandbox.write(#"[{"title": "T", "url": "\#(text)"}]"#, to: "link.json")
        let terminal = try Tmux(in: sandbox, opening: catalog, changing: links.usersBrowser)
        try terminal.wait(forPosition: "1/1")
        try terminal.type("o")
        #expect(try links.opened(count: 1) == [[link]])
    }

    /// Creates a calibre library with four books, each with a file, and returns its directory.
    private func makeLibrary() throws -> String {
        let path = sandbox.path + "/Library"
        let script = Programs.packageRoot + "/Tests/EndToEndTests/Support/sources.py"
        let made = try sandbox.run(["/usr/bin/python3", script, "calibre", "4", path])
        try #require(made.ending == .exit(0), "\(made.error)")
        return path
    }

    @Test func aFileOfACalibreLibraryIsOpenedLikeALink() throws {
        let library = try makeLibrary()
        let terminal = try Tmux(in: sandbox, opening: library, changing: links.usersBrowser)
        try terminal.wait(forPosition: "1/4")
        #expect(try terminal.screen.shows("1 EPUB") && !terminal.screen.shows("file: "))
        try terminal.type("o")
        try terminal.wait(for: "Opened Emma (1)/Emma.epub")
        #expect(try links.opened(count: 1) == [["file://\(library)/Emma%20%281%29/Emma.epub"]])
        try terminal.type("2o")
        try terminal.wait(for: "No link 2. This book has 1 link")
        // The database of the same library.
        try terminal.open(library + "/metadata.db", changing: links.usersBrowser)
        try terminal.wait(forPosition: "1/4")
        try terminal.type("jo")
        try terminal.wait(for: "Opened Dracula (2)/Dracula.epub")
        #expect(try links.opened(count: 2)[1] == ["file://\(library)/Dracula%20%282%29/Dracula.epub"])
        #expect(try sandbox.run([Programs.stacks, "search", "", library, "--format", "json"]).ending == .exit(0))
    }

    @Test func filesThatAreNotBooksOfTheLibraryAreNotOpened() throws {
        let library = try makeLibrary()
        let script = """
            import os, sqlite3, sys
            library = sys.argv[1]
            os.remove(library + '/Emma (1)/Emma.epub')
            os.symlink('/etc/passwd', library + '/Emma (1)/Emma.epub')
            os.chmod(library + '/Dracula (2)/Dracula.epub', 0o755)
            os.remove(library + '/Kidnapped (3)/Kidnapped.epub')
            os.mkdir(library + '/Kidnapped (3)/Kidnapped.epub')
            with sqlite3.connect(library + '/metadata.db') as database:
                database.execute("UPDATE data SET name = '../../../../../../etc/passwd' WHERE book = 4")
                database.execute("INSERT INTO data (book, format, name) VALUES (4, 'DESKTOP', 'Nana')")
                database.execute("INSERT INTO identifiers (book, type, val) VALUES (4, 'file', '/etc/passwd')")
                database.execute("INSERT INTO identifiers (book, type, val) VALUES (4, 'url', 'file:///etc/passwd')")
            """
        try #require(try sandbox.run(["/usr/bin/python3", "-c", script, library]).ending == .exit(0))
        let terminal = try Tmux(in: sandbox, opening: library, changing: links.usersBrowser)
        for (row, message) in [
            "Not opened: Emma (1)/Emma.epub leads out of the library",
            "Not opened: Dracula (2)/Dracula.epub is executable",
            "Not opened: Kidnapped (3)/Kidnapped.epub is not a book", "This book has no web link",
        ].enumerated() {
            try terminal.wait(forPosition: "\(row + 1)/4")
            try terminal.type("o")
            try terminal.wait(for: message)
            try terminal.type("j")
        }
        try FileManager.default.removeItem(atPath: library + "/Dracula (2)/Dracula.epub")
        try terminal.type("ggjo")
        try terminal.wait(for: "Cannot open Dracula (2)/Dracula.epub: No such file or directory")
        // Other catalogs have only paths, even in the format of calibre.
        let list =
            #"[{"title": "T", "authors": "A", "author_sort": "A", "formats": ["\#(library)/Emma (1)/Emma.epub"]}]"#
        try terminal.open(sandbox.write(list, to: "list.json"), changing: links.usersBrowser)
        try terminal.wait(forPosition: "1/1")
        try terminal.type("o")
        try terminal.wait(for: "This book has no web link")
        try openFirst(of: #"[{"title": "T", "url": "https://example.org/"}]"#, in: terminal)
        #expect(try links.opened(count: 1) == [["https://example.org/"]])
    }

    @Test func theUsersBrowserTakesPrecedenceOverXdgOpen() throws {
        let catalog = try sandbox.write(Novels.catalog, to: "novels.json")
        let terminal = try Tmux(in: sandbox, opening: catalog, changing: links.usersBrowser)
        try terminal.wait(forPosition: "1/7")
        try terminal.type("4j2o")
        try terminal.wait(for: "Opened https://example.org/review")
        #expect(try links.opened(count: 1) == [["https://example.org/review"]])
        #expect(links.lines.first?.hasPrefix("my-browser ") == true)
        try terminal.type("3o")
        try terminal.wait(for: "No link 3. This book has 2 links")
    }

    @Test func aMissingProgramIsReportedToTheUser() throws {
        let catalog = try sandbox.write(Novels.catalog, to: "novels.json")
        let terminal = try Tmux(in: sandbox, opening: catalog, changing: ["BROWSER": "no-such-browser"])
        try terminal.wait(forPosition: "1/7")
        try terminal.type("4jo")
        try terminal.wait(for: "Cannot start no-such-browser: No such file or directory")
    }

    @Test func aFailingBrowserIsReported() throws {
        let (browser, editor) = (sandbox.path + "/failing-browser", sandbox.path + "/editor")
        try sandbox.writeProgram("#!/bin/sh\nsleep 1\nexit 3\n", to: browser)
        try sandbox.writeProgram("#!/bin/sh\necho 'A note' >>\"$1\"\n", to: editor)
        let catalog = try sandbox.write(Novels.catalog, to: "novels.json")
        let terminal = try Tmux(in: sandbox, opening: catalog, changing: ["BROWSER": browser, "EDITOR": editor])
        try terminal.wait(forPosition: "1/7")
        try terminal.type("4jo")
        try terminal.wait(for: "Opening https://")
        // The keyboard still works.
        try terminal.type("k")
        try terminal.wait(forPosition: "4/7")
        try terminal.wait(for: "(exit status 3)")
        #expect(try !terminal.screen.shows("Opened"))
        // The exit of the browser must not be mistaken for that of the editor.
        try terminal.type("e")
        try terminal.wait(for: "A note")
    }
}
