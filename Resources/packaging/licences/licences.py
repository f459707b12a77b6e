#!/usr/bin/python3
"""Prints what components.toml says of the components of the programs: their licences and where they come from.

    licences.py copyright PROGRAM...     the copyright file of stacks, stacks-connect or both
    licences.py spdx                     an SPDX document (JSON) about the programs, their components and needs
    licences.py needs                    what stacks-connect needs: the Debian packages and their files
    licences.py built-using PROGRAM      the source packages in a program, for the field of this name
    licences.py sources                  the source packages that have to be published with the programs"""
import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import tomllib
import uuid

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent.parent
PROGRAMS = ["stacks", "stacks-connect"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stacks", help="the path of the program, for its version in spdx")
    parser.add_argument("--connector", help="the path of stacks-connect, for what it needs in spdx and needs")
    parser.add_argument("--full", action="store_true", help="include the licences that Debian has in common-licenses")
    parser.add_argument("document", choices=["copyright", "spdx", "needs", "built-using", "sources"])
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="stacks or stacks-connect")
    options = parser.parse_args()
    programs = options.programs or PROGRAMS
    if unknown := set(programs) - set(PROGRAMS):
        parser.error(f"unknown program “{unknown.pop()}”. Programs: {', '.join(PROGRAMS)}")
    components = [Component(entry) for entry in tomllib.loads((HERE / "components.toml").read_text())["component"]]
    print({
        "copyright": lambda: copyright_file(components, programs, options.full),
        "spdx": lambda: json.dumps(spdx(components, options.stacks, options.connector), indent=2, ensure_ascii=False),
        "needs": lambda: needs(components, options.connector),
        "built-using": lambda: ", ".join(sorted({
            component.source("{} (= {})") for component in components
            if component.pattern and set(component.linked) & set(programs)})),
        "sources": lambda: " ".join(component.source("{}={}") for component in components if component.asks_for_source),
    }[options.document]())


class Component:
    """A row of the table."""

    def __init__(self, entry):
        self.name = entry["name"]
        self.licence = entry["licence"]
        self.home = entry["home"]
        self.linked = entry.get("linked", [])
        self.needed = entry.get("needed", [])
        self.module = entry.get("module")
        self.pattern = entry.get("debian")
        self.sonames = entry.get("soname", [])
        self.program = entry.get("program")
        self.notices = entry.get("notice", [])
        self.asks_for_source = entry.get("source", False)
        self.why = entry.get("why")
        self.given_version = entry.get("version")

    @property
    def debian(self):
        """The package that is linked in: the newest that is installed."""
        return installed(self.pattern)[-1] if self.pattern else None

    @property
    def version(self):
        """The version of what is linked in."""
        if self.pattern:
            return self.debian["Version"]
        if self.given_version == "swift":
            return re.search(r"Swift version (\S+)", output("swiftc", "--version"))[1]
        return self.given_version or package_versions()[self.module]

    def notice(self, is_full):
        """Returns the text that has to go with the programs."""
        texts = []
        for source in self.notices:
            kind, _, name = source.rpartition(":")
            if kind == "common":
                path = f"/usr/share/common-licenses/{name}"
                text = pathlib.Path(path).read_text() if is_full else f"On Debian, the text of {name} is in {path}.\n"
            elif kind == "package":
                text = (ROOT / ".build/checkouts" / name).read_text()
            else:
                text = (HERE / name).read_text()
            texts.append(text.replace("@SOURCE@", self.source("{} {}")) if self.pattern else text)
        if self.pattern:
            texts.append(pathlib.Path(f"/usr/share/doc/{self.debian['Package']}/copyright").read_text())
        return "\n".join(text.strip("\n") + "\n" for text in texts)

    def source(self, form):
        """Returns the name and the version of the source package that is linked in."""
        return form.format(self.debian["source:Package"], self.debian["source:Version"])


# What is installed


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          stdin=subprocess.DEVNULL).stdout


def installed(pattern):
    """Returns the installed Debian packages whose names match, by version."""
    fields = ["Package", "Version", "source:Package", "source:Version"]
    form = "${db:Status-Status}\t" + "\t".join(f"${{{field}}}" for field in fields) + "\n"
    rows = [line.split("\t") for line in output("dpkg-query", "-W", "-f", form, pattern).splitlines()]
    found = [dict(zip(fields, row[1:])) for row in rows if row[0] == "installed"]
    if not found:
        raise SystemExit(f"licences.py: {pattern} is not installed, so that its licence cannot be read")
    return sorted(found, key=lambda package: [int(part) for part in re.findall(r"\d+", package["Package"])])


def owner(path):
    """Returns the Debian package of a file."""
    return installed(output("dpkg", "-S", path).splitlines()[0].split(":")[0])[0]


def loaded_libraries(connector, components):
    """Returns the names of the libraries that stacks-connect loads; all of them are in the table."""
    loaded = set(re.findall(r"^ *NEEDED *(\S+)", output("objdump", "-p", connector), re.MULTILINE))
    if missing := loaded.difference(*(component.sonames for component in components)):
        raise SystemExit(f"licences.py: components.toml lacks {', '.join(sorted(missing))} of stacks-connect")
    return loaded


def package_versions():
    """Returns the versions of the Swift packages."""
    return dict(re.findall(r'url: "[^"]*/([^"/]+)", exact: "([^"]+)"', (ROOT / "Package.swift").read_text()))


def needed_files(component, loaded):
    """Yields what stacks-connect needs of a component: the Debian package and the name of the library or program."""
    for name in component.sonames:
        if name in loaded:
            yield owner(f"*/{name}"), name
    if component.program:
        yield owner(f"*/bin/{component.program}"), component.program


# The documents


def copyright_file(components, programs, is_full):
    linked = [component for component in components if set(component.linked) & set(programs)]
    names = " and ".join(programs)
    lines = [f"Copyright and licences of {names}", "", (ROOT / "LICENSE").read_text().strip(), "",
             f"Components that are linked into {names}, with their licences as SPDX expressions:", ""]
    for component in linked:
        lines.append(f"  {component.name} {component.version}: {component.licence}")
        lines.append(f"      {component.home}" + (f" ({component.why})" if component.why else ""))
    for component in linked:
        title = f"{component.name}: {component.licence}"
        lines += ["", "", title, "=" * len(title), "", component.notice(is_full).rstrip("\n")]
    return "\n".join(lines)


def needs(components, connector):
    loaded = loaded_libraries(connector, components)
    files = {}
    for component in components:
        for package, name in needed_files(component, loaded):
            files.setdefault(package["Package"], []).append(name)
    return "\n".join(f"    {package}: {', '.join(names)}" for package, names in sorted(files.items()))


def spdx(components, stacks, connector):
    version = output(stacks, "--version").splitlines()[0]
    loaded = loaded_libraries(connector, components)
    date = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    packages = [package("stacks", version, "MIT"), package("stacks-connect", version, "MIT")]
    relationships = [relationship("DOCUMENT", "DESCRIBES", name) for name in PROGRAMS]
    for component in components:
        if component.linked:
            found = package(component.name, component.version, component.licence, component)
            packages.append(found)
            relationships += [relationship(program, "STATIC_LINK", component.name) for program in component.linked]
        for debian, name in needed_files(component, loaded):
            if not any(known["name"] == debian["Package"] for known in packages):
                packages.append(package(debian["Package"], debian["Version"], component.licence, component, debian))
                relationships.append(
                    relationship("stacks-connect", "DYNAMIC_LINK", debian["Package"]) if name != component.program
                    else relationship(debian["Package"], "RUNTIME_DEPENDENCY_OF", "stacks-connect"))
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"stacks-{version}",
        "creationInfo": {"created": f"{date:%Y-%m-%dT%H:%M:%SZ}", "creators": ["Tool: stacks-licences.py"]},
        "packages": packages, "relationships": relationships,
    }
    # A name of its own for each content, without chance.
    identity = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document))
    return {**document, "documentNamespace": f"https://spdx.org/spdxdocs/stacks-{version}-{identity}"}


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", name.replace("+", "p"))


def relationship(subject, kind, related):
    return {"spdxElementId": identifier(subject), "relationshipType": kind, "relatedSpdxElement": identifier(related)}


def package(name, version, licence, component=None, debian=None):
    found = {
        "SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
    }
    if component:
        found["homepage"] = component.home
        debian = debian or component.debian
        if component.why:
            found["comment"] = component.why
    if debian:
        locator = f"pkg:deb/debian/{debian['Package'].replace('+', '%2B')}@{debian['Version'].replace('+', '%2B')}"
        found["externalRefs"] = [{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
            "referenceLocator": locator.replace(":", "%3A").replace("pkg%3A", "pkg:"),
        }]
    return found


if __name__ == "__main__":
    main()
