import TestSupport
import Testing

@testable import Catalog
@testable import stacks

@Suite("Profiles: listing") struct ProfileListingTests {
    @Test func profilesAreListedWithWhatHidesThem() throws {
        let directory = try TemporaryDirectory()
        for (file, name) in [("1.json", "mine"), ("2.json", "mine"), ("3.json", "opds")] {
            let text = #"{"name": "\#(name)", "label": "L", "fields": {"title": "t"}}"#
            try directory.write(text.utf8, to: file)
        }
        let lines = ProfileListing(of: ProfileLibrary(directory: directory.path)).text.split(separator: "\n")
        #expect(lines.count == Profile.builtInNames.count + 3)
        #expect(lines[0] == "native               Native                 built in")
        #expect(lines[1] == "opds                 OPDS 2.0               built in, hidden by \(directory.path)/3.json")
        #expect(
            lines.suffix(3) == [
                "mine                 L                      \(directory.path)/1.json, hidden by \(directory.path)/2.json",
                "mine                 L                      \(directory.path)/2.json",
                "opds                 L                      \(directory.path)/3.json",
            ])
    }
}
