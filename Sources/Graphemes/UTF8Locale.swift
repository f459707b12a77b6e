internal import CSystem

/// Makes the C library know the widths of all characters, which `GraphemeSanitizer` asks it for: the reader's locale where it is
/// UTF-8, else C.UTF-8. To be called once, before the first text is shown.
///
/// - Returns: Whether there is a UTF-8 locale.
@discardableResult
public func useUTF8Locale() -> Bool {
    cs_use_utf8_locale()
}
