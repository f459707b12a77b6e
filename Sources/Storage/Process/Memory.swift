internal import CSystem
internal import Glibc

/// Excludes the memory of this process, which has passwords, from core dumps, and keeps other processes of the user from
/// reading it.
public func protectMemory() { cs_protect_memory() }

/// Asks the system for large pages in `memory`, which must not have been written to yet: allocating and clearing many
/// small pages takes longer than filling them. Does nothing below 4 MB.
public func preferLargePages(in memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress, memory.count >= 4 << 20 else { return }
    let pageSize = 4096
    let padding = -Int(bitPattern: start) & (pageSize - 1)
    // The call is only advice, so its result does not matter.
    _ = madvise(start + padding, (memory.count - padding) & ~(pageSize - 1), MADV_HUGEPAGE)
}

/// Loads the pages of a mapped file that `memory` covers, since each costs a microsecond at its first access otherwise.
public func populatePages(of memory: UnsafeRawBufferPointer) {
    guard let start = memory.baseAddress, memory.count > 0 else { return }
    let offset = Int(bitPattern: start) & 4095
    // MADV_POPULATE_READ of Linux 5.14, which is missing from the headers of older C libraries. The call is only
    // advice, too.
    _ = madvise(UnsafeMutableRawPointer(mutating: start - offset), memory.count + offset, 22)
}

extension Array {
    /// Reserves capacity for `count` elements, in large pages if they are many.
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

/// Returns freed memory to the system; takes milliseconds per hundreds of megabytes. Call it after freeing much memory
/// that will not be needed again soon.
public func returnFreeMemory() { cs_return_memory() }
