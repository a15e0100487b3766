import Foundation
import Testing

@testable import WebFace

@Suite("The page goes out in few pieces")
struct PiecesTests {
  /// What the bundle of these scripts is; each a path and its text.
  private static func bundle(_ scripts: [String: String]) throws -> String {
    var places: [String: UnsafeRawBufferPointer] = [:]
    for (path, text) in scripts {
      places[path] = Asset(path: path, type: "text/javascript", made: Array(text.utf8)).bytes
    }
    return String(decoding: try ModuleBundle.make(of: "/a/main.js", from: places), as: UTF8.self)
  }

  private static func asset(_ path: String) throws -> String {
    let found = try #require(Asset.served.first { $0.path == path })
    return String(decoding: found.bytes, as: UTF8.self)
  }

  @Test("What is imported comes first, once, and each name means what it meant")
  func forms() throws {
    let text = try Self.bundle([
      "/a/main.js": """
      import { one, two } from "./b/x.js";
      import * as all from "../y.js";
      import "./z.js";
      await one(two, all.three);
      """,
      "/a/b/x.js": """
      export { three } from "../../y.js";
      export async function one(a) { return a; }
      export const two = 2;
      """,
      "/y.js": "export class three {}\nconst hidden = 1;", "/a/z.js": "window.z = true;",
    ])
    #expect(
      text == """
        const $y_js = (() => {
        class three {}
        const hidden = 1;
        return { three };
        })();
        const $a_b_x_js = (() => {
        const { three } = $y_js;
        async function one(a) { return a; }
        const two = 2;
        return { three, one, two };
        })();
        const $a_z_js = (() => {
        window.z = true;
        return {  };
        })();
        const { one, two } = $a_b_x_js;
        const all = $y_js;

        await one(two, all.three);

        """)
  }

  @Test(
    "What is not understood is refused",
    arguments: [
      "import one from \"./x.js\";", "import { a as b } from \"./x.js\";", "export let a = 1;",
      "import { a,", "export default 1;", "import { a } from \"x\";", "export * from \"./x.js\";",
    ])
  func unknown(_ line: String) throws {
    #expect(throws: ModuleBundle.Fault.unknownForm("/a/main.js", line: line)) {
      try Self.bundle(["/a/main.js": line, "/a/x.js": "export const a = 1;"])
    }
  }

  @Test("A circle and a script that is not there are refused")
  func faults() {
    #expect(throws: ModuleBundle.Fault.circle("/a/x.js")) {
      try Self.bundle([
        "/a/main.js": "import \"./x.js\";", "/a/x.js": "import \"./y.js\";",
        "/a/y.js": "import \"./x.js\";",
      ])
    }
    #expect(throws: ModuleBundle.Fault.missing("/a/x.js")) {
      try Self.bundle(["/a/main.js": "import \"./x.js\";"])
    }
  }

  @Test("The page's scripts are understood, and every one that does something is among them")
  func scripts() throws {
    let files = Dictionary(uniqueKeysWithValues: Asset.all.map { ($0.path, $0.bytes) })
    let bundle = String(
      decoding: try ModuleBundle.make(of: "/app/main.js", from: files), as: UTF8.self)
    #expect(try Self.asset("/app/all.js") == bundle)
    for path in files.keys where path.hasSuffix(".js") {
      let name =
        "const $\(path.dropFirst().map { $0.isLetter ? String($0) : "_" }.joined()) = (() =>"
      let isAlone = ["/app/main.js", "/app/early.js"].contains(path)
      #expect(bundle.contains(name) == !isAlone, "\(path)")
    }
  }

  @Test("The start page names the pieces, and the sheets are in their order")
  func index() throws {
    let page = try Self.asset("/")
    #expect(page.components(separatedBy: "<link rel=\"stylesheet\"").count == 2)
    #expect(page.contains("href=\"style/all.css\""))
    #expect(page.contains("<script type=\"module\" src=\"app/all.js\"></script>"))
    #expect(!page.contains("main.js"))
    let file = try #require(Asset.all.first { $0.path == "/" })
    let sheets = String(decoding: file.bytes, as: UTF8.self).components(separatedBy: "\"")
      .filter { $0.hasSuffix(".css") }
    let all = try sheets.map { try Self.asset("/\($0)") }.joined()
    #expect(sheets.count > 10)
    #expect(try Self.asset("/style/all.css") == all)
  }

  @Test("All sentences of a language are in one file", arguments: ["en", "zh-Hant"])
  func languages(_ language: String) throws {
    let piece = try JSONSerialization.jsonObject(
      with: Data(Self.asset("/locales/\(language).all.json").utf8))
    let parts = try #require(piece as? [String: [String: Any]])
    let files = Asset.all.filter { $0.path.hasPrefix("/locales/\(language)") }
    #expect(parts.count == files.count)
    for (part, sentences) in parts {
      let file = try JSONSerialization.jsonObject(
        with: Data(Self.asset("/locales/\(language)\(part).json").utf8))
      #expect((file as? NSDictionary) == (sentences as NSDictionary))
    }
  }
}
