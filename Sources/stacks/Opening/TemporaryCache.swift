internal import Catalog
internal import Glibc
internal import Library
internal import Storage
internal import Text

/// The cache of a process that has no other: copies of catalogs that are not JSON, until it ends.
enum TemporaryCache {
    /// The path of the directory, which nobody else can read; nil if none can be made.
    fileprivate static let path: String? = {
        var template = Array(((environmentValue("TMPDIR") ?? "/tmp") + "/stacks-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else { return nil }
        atexit { if let path = TemporaryCache.path { try? deleteDirectory(path) } }
        return String(cString: made)
    }()
}

extension Directories {
    /// Whether files can be written in the cache directory, which is made for that. One that others could have written is
    /// not in question.
    var canWriteCache: Bool {
        if cacheDistrust != nil { return true }
        return cache.map { (try? makeDirectory($0)) != nil && canWrite(inDirectory: $0) } ?? false
    }

    /// These directories, with a cache that ends with the process if no other can be written.
    var withSomeCache: Directories {
        var directories = self
        if !canWriteCache { directories.cache = TemporaryCache.path }
        return directories
    }
}

extension Directories {
    /// The sentence that says why the cache is not used, if another user could have written its files.
    var cacheDistrustSentence: String? {
        cacheDistrust.map { CommandMessage.cacheDistrusted.text(abbreviatedPath($0.path), $0.cause) }
    }

    /// The sentence that says why there is no cache directory.
    var noCacheSentence: String { cacheDistrustSentence ?? CommandMessage.noCacheDirectory.text() }
}

extension IndexCache {
    /// Creates the cache in `directories`; fails without a cache directory.
    init?(in directories: Directories) {
        guard let directory = directories.cache else { return nil }
        self.init(directory: directory + "/index")
    }
}
