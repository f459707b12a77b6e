internal import Catalog

/// Which catalog the user wants to open, and how.
struct CatalogRequest {
    /// The path or name given by the user, if any; "-" is standard input.
    var name: String?
    /// The profile given by the user, if any.
    var profile: String?
    /// When the copy of a catalog that is not JSON is made anew.
    var refreshes = MirrorRefresh.whenChanged
}
