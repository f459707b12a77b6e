internal import ConnectorProtocol

/// The hosts of an address, by the part of the catalog that each of them has.
struct ClickHouseHosts {
    /// The numbers of the hosts of each part. Those of a part have the same rows.
    let shards: [[Int]]

    /// Asks the hosts for their place in the cluster. Without a cluster, each host has the whole catalog.
    ///
    /// - Throws: `ConnectorFailure` if a host does not answer, or if the address does not name each host of the cluster:
    ///   then a part of the catalog would be missing.
    init(_ client: ClickHouseClient) throws(ConnectorFailure) {
        let address = client.address
        guard let cluster = address.cluster else {
            for host in address.hosts.indices { _ = try client.rows(on: host, "SELECT toUInt8(1)", .uint8) }
            shards = [Array(address.hosts.indices)]
            return
        }
        var hosts: [Int: [Int]] = [:]
        var replicas: [Int: Int] = [:]
        for host in address.hosts.indices {
            let rows = try client.rows(
                on: host,
                "SELECT toUInt32(shard_num), toUInt8(is_local) FROM system.clusters WHERE cluster = "
                    + SQLText.literal(cluster), .uint32, .uint8)
            if rows.isEmpty { throw ConnectorFailure(.server, .noCluster, detail: cluster) }
            replicas = Dictionary(rows.compactMap { $0[0].number }.map { ($0, 1) }, uniquingKeysWith: +)
            if let shard = rows.first(where: { $0[1] == .number(1) })?[0].number {
                hosts[shard, default: []].append(host)
            }
        }
        let shardNumbers = replicas.keys.sorted()
        guard shardNumbers.allSatisfy({ hosts[$0]?.count == replicas[$0] }) else {
            let count = replicas.values.reduce(0, +)
            throw ConnectorFailure(
                .refused, .clusterHosts, subject: cluster,
                detail: "\(count) hosts, of which the address names \(hosts.values.reduce(0) { $0 + $1.count })")
        }
        shards = shardNumbers.compactMap { hosts[$0] }
    }
}
