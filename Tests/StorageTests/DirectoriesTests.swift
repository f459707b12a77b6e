import Glibc
import Testing

@testable import Storage

/// Each test sets the environment of a separate process.
@Suite("Files: the XDG directories") struct DirectoriesTests {
    @Test func variablesNameTheDirectories() async {
        await #expect(processExitsWith: .success) {
            setenv("HOME", "/home/reader", 1)
            setenv("XDG_STATE_HOME", "/elsewhere/state", 1)
            setenv("XDG_DATA_HOME", "/elsewhere/data", 1)
            setenv("XDG_CACHE_HOME", "/elsewhere/cache", 1)
            setenv("XDG_CONFIG_HOME", "/elsewhere/config", 1)
            #expect(
                Directories.ofEnvironment()
                    == Directories(
                        state: "/elsewhere/state/stacks", data: "/elsewhere/data/stacks",
                        cache: "/elsewhere/cache/stacks", config: "/elsewhere/config/stacks"))
        }
    }

    @Test func withoutVariablesTheyAreBelowHome() async {
        await #expect(processExitsWith: .success) {
            setenv("HOME", "/home/reader", 1)
            unsetenv("XDG_STATE_HOME")
            unsetenv("XDG_DATA_HOME")
            unsetenv("XDG_CACHE_HOME")
            unsetenv("XDG_CONFIG_HOME")
            #expect(
                Directories.ofEnvironment()
                    == Directories(
                        state: "/home/reader/.local/state/stacks", data: "/home/reader/.local/share/stacks",
                        cache: "/home/reader/.cache/stacks", config: "/home/reader/.config/stacks"))
        }
    }

    @Test func emptyVariablesAreIgnored() async {
        await #expect(processExitsWith: .success) {
            setenv("HOME", "/home/reader", 1)
            setenv("XDG_STATE_HOME", "", 1)
            setenv("XDG_DATA_HOME", "", 1)
            setenv("XDG_CACHE_HOME", "", 1)
            setenv("XDG_CONFIG_HOME", "", 1)
            #expect(
                Directories.ofEnvironment()
                    == Directories(
                        state: "/home/reader/.local/state/stacks", data: "/home/reader/.local/share/stacks",
                        cache: "/home/reader/.cache/stacks", config: "/home/reader/.config/stacks"))
        }
    }

    @Test func relativeVariablesAreIgnored() async {
        await #expect(processExitsWith: .success) {
            setenv("HOME", "/home/reader", 1)
            setenv("XDG_STATE_HOME", "state", 1)
            setenv("XDG_DATA_HOME", "./data", 1)
            setenv("XDG_CACHE_HOME", "cache", 1)
            setenv("XDG_CONFIG_HOME", "config", 1)
            #expect(
                Directories.ofEnvironment()
                    == Directories(
                        state: "/home/reader/.local/state/stacks", data: "/home/reader/.local/share/stacks",
                        cache: "/home/reader/.cache/stacks", config: "/home/reader/.config/stacks"))
        }
    }

    @Test func withoutHomeThereAreNoDirectories() async {
        await #expect(processExitsWith: .success) {
            unsetenv("XDG_STATE_HOME")
            unsetenv("XDG_DATA_HOME")
            unsetenv("XDG_CACHE_HOME")
            unsetenv("XDG_CONFIG_HOME")
            unsetenv("HOME")
            #expect(Directories.ofEnvironment() == Directories(state: nil, data: nil, cache: nil, config: nil))
            setenv("HOME", "", 1)
            #expect(Directories.ofEnvironment() == Directories(state: nil, data: nil, cache: nil, config: nil))
            setenv("HOME", "home/reader", 1)
            #expect(Directories.ofEnvironment() == Directories(state: nil, data: nil, cache: nil, config: nil))
        }
    }

    @Test func withoutHomeAVariableStillNamesItsDirectory() async {
        await #expect(processExitsWith: .success) {
            unsetenv("HOME")
            unsetenv("XDG_STATE_HOME")
            unsetenv("XDG_CACHE_HOME")
            unsetenv("XDG_CONFIG_HOME")
            setenv("XDG_DATA_HOME", "/elsewhere", 1)
            #expect(
                Directories.ofEnvironment()
                    == Directories(state: nil, data: "/elsewhere/stacks", cache: nil, config: nil))
        }
    }

    @Test func anotherProgramHasItsOwn() async {
        await #expect(processExitsWith: .success) {
            setenv("XDG_STATE_HOME", "/state", 1)
            setenv("XDG_DATA_HOME", "/data", 1)
            setenv("XDG_CACHE_HOME", "/cache", 1)
            setenv("XDG_CONFIG_HOME", "/config", 1)
            #expect(
                Directories.ofEnvironment(program: "other")
                    == Directories(
                        state: "/state/other", data: "/data/other", cache: "/cache/other", config: "/config/other"))
        }
    }

    @Test func aCacheThatOthersMayWriteIsNotUsed() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            setenv("XDG_CACHE_HOME", directory.path, 1)
            #expect(Directories.ofEnvironment().cache == directory("stacks"))
            mkdir(directory("stacks"), 0o700)
            #expect(Directories.ofEnvironment().cache == directory("stacks"))
            #expect(Directories.ofEnvironment().cacheDistrust == nil)
            chmod(directory("stacks"), 0o1777)
            #expect(Directories.ofEnvironment().cache == nil)
            #expect(
                Directories.ofEnvironment().cacheDistrust
                    == FileError(path: directory("stacks"), operation: .trust, code: EACCES))
        }
    }

    @Test func anEmptyVariableHasNoValue() async {
        await #expect(processExitsWith: .success) {
            setenv("STACKS_TEST", "value", 1)
            #expect(environmentValue("STACKS_TEST") == "value")
            setenv("STACKS_TEST", "", 1)
            #expect(environmentValue("STACKS_TEST") == nil)
            unsetenv("STACKS_TEST")
            #expect(environmentValue("STACKS_TEST") == nil)
        }
    }

    @Test func filesCanBeCreatedInAnExistingOrCreatableDirectory() {
        let directory = TemporaryDirectory()
        #expect(canWrite(inDirectory: directory.path))
        #expect(canWrite(inDirectory: directory("a/b/c")))
    }

    @Test func noFileCanBeCreatedBelowAFile() {
        let directory = TemporaryDirectory()
        directory.put("", at: "file")
        #expect(!canWrite(inDirectory: directory("file")))
        #expect(!canWrite(inDirectory: directory("file/a")))
        #expect(!canWrite(inDirectory: directory("file/a/b")))
    }
}
