internal import CSystem
internal import ConnectorProtocol
internal import Glibc

/// The rights that this program gives up before it reads a source: a flaw in a library that decodes sources must not give
/// a source the rights of its reader.
///
/// The kernel enforces them in two ways, and each does what it can without the other: rules for files, TCP and signals
/// (Landlock), and a filter of system calls (seccomp).
enum HelperConfinement {
    /// Gives up all rights that copying `sources` or asking their servers does not need. Must be called before other
    /// threads start.
    ///
    /// - Parameters:
    ///   - cache: The directory for files that are written.
    ///   - sources: The paths and addresses that will be read.
    /// - Returns: What is in force; older kernels can do less.
    static func enter(cache: String, sources: [String]) -> Confinement {
        let connects = sources.contains { $0.contains("://") }
        var confinement = Confinement()
        if let rules = LandlockRules(connects: connects) {
            allow(rules, cache: cache, sources: sources, connects: connects)
            if rules.enforce() { confinement.landlock = rules.version }
        }
        if let filter = SystemCallFilter() {
            SystemCalls.forbidUnneeded(filter, connects: connects)
            confinement.filtersCalls = filter.load()
        }
        return confinement
    }

    /// Gives up the right to start programs, once no converter is needed; on any thread, for all.
    static func forbidPrograms() {
        guard let filter = SystemCallFilter() else { return }
        SystemCalls.forbidPrograms(filter)
        _ = filter.load()
    }

    // MARK: - Files

    private static func allow(_ rules: LandlockRules, cache: String, sources: [String], connects: Bool) {
        rules.allow([.reading, .writing], to: cache)
        for path in sources where !path.contains("://") {
            for file in SourceDetection.files(of: path) { rules.allow(.readFile, to: file) }
        }
        for path in libraryFiles { rules.allow(.reading, to: path) }
        rules.allow([.readFile, .writeFile], to: "/dev/null")
        for path in ["/dev/urandom", "/dev/random"] { rules.allow(.readFile, to: path) }
        let programs = BibliographyFormat.programs.compactMap(path(ofProgram:))
        for path in programs + [cs_loader().map { String(cString: $0) }].compactMap(\.self) {
            rules.allow([.execute, .readFile], to: path)
        }
        if connects {
            for path in certificates + nameResolution { rules.allow(.reading, to: path) }
            if let netrc = NetrcFile.path { rules.allow(.readFile, to: netrc) }
        }
    }

    /// Libraries, which are loaded when they are needed, and their data: tables of encodings, time zones and locales.
    private static let libraryFiles =
        [
            "/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/share", "/usr/local/lib",
            "/usr/local/share", "/nix/store", "/gnu/store", "/etc/ld.so.cache", "/etc/localtime",
            "/proc/sys/vm/overcommit_memory", "/sys/devices/system/cpu",
        ] + ["LD_LIBRARY_PATH", "GCONV_PATH", "TZDIR"].flatMap(paths(in:))

    /// The certificates of authorities, where OpenSSL of the distributions has them, and its settings.
    private static var certificates: [String] {
        [
            "/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ssl/openssl.cnf", "/etc/ssl/openssl.cnf.d",
            "/etc/ssl/ca-bundle.pem", "/etc/pki/tls/certs", "/etc/pki/tls/cert.pem", "/etc/pki/tls/openssl.cnf",
            "/etc/pki/tls/openssl.d", "/etc/pki/ca-trust", "/etc/crypto-policies", "/etc/ca-certificates",
            "/var/lib/ca-certificates",
        ] + ["SSL_CERT_FILE", "SSL_CERT_DIR", "OPENSSL_CONF", "OPENSSL_MODULES"].flatMap(paths(in:))
    }

    /// The files by which the C library resolves names: resolv.conf(5), nsswitch.conf(5), gai.conf(5) and others.
    private static var nameResolution: [String] {
        let names = [
            "resolv.conf", "hosts", "nsswitch.conf", "gai.conf", "host.conf", "services", "protocols", "mdns.allow",
        ]
        let files = names.map { "/etc/" + $0 } + paths(in: "HOSTALIASES")
        // Services that write resolv.conf replace it when the network changes.
        guard let target = realPath("/etc/resolv.conf"), !target.hasPrefix("/etc/"),
            let slash = target.lastIndex(of: "/"), slash > target.startIndex
        else { return files }
        return files + [String(target[..<slash])]
    }

    private static func paths(in variable: String) -> [String] {
        getenv(variable).map { String(cString: $0).split(separator: ":").map(String.init) } ?? []
    }

    private static func path(ofProgram name: String) -> String? {
        paths(in: "PATH").map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }
}

/// Returns the absolute path of a file without symbolic links; nil if there is none.
func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
}
