internal import Catalog

/// The catalog to open, as requested by the user.
struct CatalogRequest {
    /// The path or name given by the user, if any; "-" is standard input.
    var name: String?
    /// The profile given by the user, if any.
    var profile: String?
    /// The condition for copying a catalog that is not JSON again.
    var refreshes = MirrorRefresh.whenChanged
}
