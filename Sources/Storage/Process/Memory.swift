internal import CSystem
internal import Glibc

/// Asks the system to give `memory`, which nothing was written to yet, in large pages where there are whole ones in it: to
/// get and clear many small pages takes longer than to fill them.
public func preferLargePages(in memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress, memory.count >= 4 << 20 else { return }
    let pageSize = 4096
    let padding = -Int(bitPattern: start) & (pageSize - 1)
    // It is a wish: what comes of it does not matter.
    _ = madvise(start + padding, (memory.count - padding) & ~(pageSize - 1), MADV_HUGEPAGE)
}

/// Has the pages of `memory` at hand which are a file's, and which each cost a microsecond else when they are first looked at.
public func populatePages(of memory: UnsafeRawBufferPointer) {
    guard let start = memory.baseAddress, memory.count > 0 else { return }
    let offset = Int(bitPattern: start) & 4095
    // MADV_POPULATE_READ of Linux 5.14, which the headers of older C libraries lack. It is a wish, too.
    _ = madvise(UnsafeMutableRawPointer(mutating: start - offset), memory.count + offset, 22)
}

extension Array {
    /// Makes room for `count` elements, in large pages where they are many.
    public mutating func reserveInLargePages(_ count: Int) {
        reserveCapacity(count)
        let used = self.count
        withUnsafeMutableBufferPointer { elements in
            guard let start = elements.baseAddress else { return }
            let room = UnsafeMutableRawBufferPointer(
                start: start + used, count: (count - used) * MemoryLayout<Element>.stride)
            preferLargePages(in: room)
        }
    }
}

/// Gives the memory that was freed back to the system: after much of it was, which will not be needed again soon. Some
/// milliseconds for hundreds of megabytes.
public func returnFreeMemory() { cs_return_memory() }
