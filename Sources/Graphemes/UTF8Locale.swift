internal import CSystem

/// Selects the locale by which the C library knows character widths for `GraphemeSanitizer`: the user's locale if it is
/// UTF-8, otherwise C.UTF-8. Call it once before the first text is shown.
///
/// - Returns: Whether a UTF-8 locale exists.
@discardableResult
public func useUTF8Locale() -> Bool {
    cs_use_utf8_locale()
}
