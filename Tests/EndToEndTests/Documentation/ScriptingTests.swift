import Foundation
import Testing

/// Runs the recipes of the guide and compares what they print.
@Suite("Documentation: every recipe prints what the guide shows") struct ScriptingTests {
    /// A task, the commands that do it, and their output.
    struct Recipe {
        var task: String
        var commands: String
        var output: String
    }

    static let page = "Resources/guide/scripting.md"

    /// Returns the recipes on the page: a heading, and below it a block of commands and one of their output.
    static func recipes(in text: String) -> [Recipe] {
        var recipes: [Recipe] = []
        var block: WritableKeyPath<Recipe, String>?
        for line in text.components(separatedBy: "\n") {
            if line == "```" {
                block = nil
            } else if let block {
                recipes[recipes.count - 1][keyPath: block] += line + "\n"
            } else if line.hasPrefix("## ") {
                recipes.append(Recipe(task: String(line.dropFirst(3)), commands: "", output: ""))
            } else if !recipes.isEmpty, line == "```sh" {
                block = \Recipe.commands
            } else if !recipes.isEmpty, line == "```text" {
                block = \Recipe.output
            }
        }
        return recipes
    }

    /// One test for all recipes, because later ones show the changes that earlier ones make.
    @Test func everyRecipePrintsItsOutput() throws {
        let sandbox = try Sandbox()
        let text = try String(contentsOfFile: Programs.packageRoot + "/" + Self.page, encoding: .utf8)
        let recipes = Self.recipes(in: text)
        #expect(recipes.count >= 20)
        try sandbox.write(
            String(contentsOfFile: Programs.bundledCatalog, encoding: .utf8), to: "work/books.json")
        try FileManager.default.createDirectory(atPath: sandbox.path + "/bin", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: sandbox.path + "/bin/stacks", withDestinationPath: Programs.stacks)
        let changes = [
            "PATH": sandbox.path + "/bin:" + (sandbox.environment["PATH"] ?? ""), "STACKS_CATALOG": "books.json",
            "GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "ann@localhost",
            "GIT_COMMITTER_NAME": "Ann", "GIT_COMMITTER_EMAIL": "ann@localhost",
        ]
        for recipe in recipes {
            #expect(!recipe.commands.isEmpty && !recipe.output.isEmpty, "\(recipe.task)")
            let result = try sandbox.run(
                ["/bin/sh", "-c", "cd '\(sandbox.path)/work' && exec 2>&1\n" + recipe.commands], changing: changes)
            #expect(result.ending == .exit(0), "\(recipe.task)")
            // CSV has lines as RFC 4180 wants them.
            #expect(result.output.replacing("\r\n", with: "\n") == recipe.output, "\(recipe.task)")
        }
    }
}
