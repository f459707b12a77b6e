import ConnectorProtocol
import Testing

@testable import Connectors

@Suite("Addresses of catalogs in ClickHouse")
struct ClickHouseAddressTests {
    @Test(
        "An address names hosts, a database and possibly a cluster",
        arguments: [
            ("clickhouse://a/lib", ["http://a:8123"], "lib", nil),
            ("ClickHouse://ann@A:81,b:82/my%20lib?cluster=big", ["http://a:81", "http://b:82"], "my lib", "big"),
            ("clickhouses://a,[::1]:9/lib/", ["https://a:8443", "https://[::1]:9"], "lib", nil),
            ("clickhouse://[::1]/lib", ["http://[::1]:8123"], "lib", nil),
        ] as [(String, [String], String, String?)])
    func parts(text: String, hosts: [String], database: String, cluster: String?) throws {
        let address = try ClickHouseAddress(text)
        #expect(address.hosts == hosts)
        #expect(address.database == database)
        #expect(address.cluster == cluster)
    }

    @Test(
        "An address without host or database, or with unknown parts, is refused",
        arguments: [
            "clickhouse://", "clickhouse:///lib", "clickhouse://a", "clickhouse://a/", "clickhouse://a/b/c",
            "clickhouse://a,,b/lib", "clickhouse://a:x/lib", "clickhouse://a:99999/lib", "clickhouse://a,a/lib",
            "clickhouse://a/lib?cluster=", "clickhouse://a/lib?name=x", "http://a/lib", "clickhouse://a b/lib",
        ])
    func refused(text: String) {
        #expect(throws: ConnectorFailure(.refused, .databaseAddress)) { try ClickHouseAddress(text) }
    }
}
