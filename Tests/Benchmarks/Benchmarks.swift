import CSystem
import Glibc
import Storage

@testable import Catalog

enum Benchmarks {
    static func main() {
        let path = CommandLine.arguments[1]
        guard let file = try? InputFile(path), let size = try? file.fingerprint()?.size else { return }
        measure("positions", size) {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
            defer { buffer.deallocate() }
            var scan = element_scan()
            var offset = 1
            while let count = try? file.read(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer.dropLast(64)), at: offset), count > 0
            {
                element_scan_run(&scan, buffer.bindMemory(to: UInt8.self).baseAddress, count, nil, 0)
                offset += count
            }
            return scan.count
        }
        measure("validate", size) {
            var buffer = [UInt8](repeating: 0, count: size + 64)
            _ = buffer.withUnsafeMutableBytes {
                try? file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0.prefix(size)), at: 0)
            }
            let start = ContinuousClock.now
            let result = buffer.withUnsafeBufferPointer { b -> Int in
                var reader = JSONReader(b.baseAddress!, count: size)
                try? reader.skipValue()
                return reader.offset
            }
            print("  pure", Int(Double(size) / seconds(start.duration(to: .now)) / 1e6), "MB/s")
            return result
        }
        measure("index, one thread", size) {
            let records = JSONFileRecords(file, shape: .array(enclosingObjects: 0), from: 0)
            while records.progress != nil { records.loadMore() }
            return records.count
        }
        measure("index, \(BackgroundThread.workerCount) threads", size) {
            let records = JSONFileRecords(file, shape: .array(enclosingObjects: 0), from: 0)
            records.startLoading {}
            while records.progress != nil { if !records.takeIn() { usleep(500) } }
            return records.count
        }
        measure("cat", size) { Int(system("cat \(path) > /dev/null")) }
    }
    static func seconds(_ time: Duration) -> Double {
        Double(time.components.attoseconds) / 1e18 + Double(time.components.seconds)
    }
    static func measure(_ name: String, _ size: Int, _ body: () -> Int) {
        for _ in 0..<3 {
            let start = ContinuousClock.now
            let result = body()
            let time = seconds(start.duration(to: .now))
            print(name, result, Int(time * 1e3), "ms", Int(Double(size) / time / 1e6), "MB/s")
        }
    }
}
