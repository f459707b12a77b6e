internal import CYAZ

/// The messages of the standard diagnostics, for servers that send only their numbers.
enum LibraryDiagnosticText {
    /// Returns the message of a diagnostic of SRU.
    static func sru(_ number: Int) -> String? { yaz_diag_srw_str(Int32(clamping: number)).map { String(cString: $0) } }

    /// Returns the message of a diagnostic of Z39.50 in the set Bib-1.
    static func bib1(_ number: Int) -> String? { diagbib1_str(Int32(clamping: number)).map { String(cString: $0) } }
}
