import { describe, expect, it } from "vitest";
import { readDeepLink, readOpenRequests } from "./open-requests.ts";

const onLinux = (...args: string[]) => readOpenRequests(args, "/home/ada/tables", "linux");
const onWindows = (...args: string[]) => readOpenRequests(args, "C:\\Users\\ada", "win32");
const files = (...paths: string[]) => ({ kind: "files", paths });

describe("readOpenRequests", () => {
  it.each([
    ["an absolute path", ["/data/reviews.csv"], ["/data/reviews.csv"]],
    ["a relative path", ["reviews.csv", "../a.xlsx"], ["/home/ada/tables/reviews.csv", "/home/ada/a.xlsx"]],
    ["a file: address", ["file:///data/my%20reviews.tsv"], ["/data/my reviews.tsv"]],
    ["each of the kinds", ["a.jsonl", "b.CSV", "c.json", "d.parquet"].map((name) => `/${name}`), null],
    ["the same file twice, once", ["/a.csv", "file:///a.csv"], ["/a.csv"]],
    ["nothing", [], []],
    ["no flags, nor the app's own folder", [".", "--pace=instant", "--inspect", "-psn_0_1", "--x.csv"], []],
    ["no kind that is no table", ["/notes.txt", "/photo.png", "/reviews.csv.exe", "/folder"], []],
    ["no file: address of another computer", ["file://server/share/a.csv", "file:///a.csv?x", "file:///a.csv#y"], []],
    ["no path that ends early", ["/etc/passwd\0.csv", "file:///etc%00/a.csv", "file:///a%2Fb.csv"], []],
    ["no other address", ["https://evil.example/a.csv", "smb://server/a.csv"], []],
  ])("opens %s", (_what, args, paths) => {
    expect(onLinux(...args)).toEqual(files(...(paths ?? args)));
  });

  it.each([
    ["paths of drives", ["C:\\data\\a.csv", "b.xlsx"], ["C:\\data\\a.csv", "C:\\Users\\ada\\b.xlsx"]],
    ["file: addresses of drives", ["file:///C:/data/a.csv"], ["C:\\data\\a.csv"]],
    ["no shares", ["\\\\server\\share\\a.csv", "//server/share/a.csv", "file://server/share/a.csv"], []],
    ["no devices", ["\\\\.\\pipe\\a.csv", "\\\\?\\C:\\a.csv", "\\\\?\\UNC\\server\\a.csv"], []],
  ])("opens %s on Windows", (_what, args, paths) => {
    expect(onWindows(...args)).toEqual(files(...paths));
  });

  it("takes a link alone, whatever else comes with it", () => {
    const link = { kind: "link", address: "SHEAF://batch/b1" };
    expect(onLinux("--data-dir=/tmp/evil", "/a.csv", "SHEAF://batch/b1", "sheaf://file/f1")).toEqual(link);
  });
});

describe("readDeepLink", () => {
  it("names a batch or a file", () => {
    expect(readDeepLink("sheaf://batch/batch_0f3a")).toEqual({ kind: "show_batch", id: "batch_0f3a" });
    expect(readDeepLink("sheaf://file/file-0f3a/")).toEqual({ kind: "show_file", id: "file-0f3a" });
    expect(readDeepLink("SHEAF://batch/B1")).toEqual({ kind: "show_batch", id: "B1" });
  });

  it.each([
    "sheaf://app/",
    "sheaf://app/batches/b1",
    "sheaf://batch",
    "sheaf://batch/",
    "sheaf:batch/b1",
    "sheaf://batch/b1?delete=1",
    "sheaf://batch/b1?",
    "sheaf://batch/b1#results",
    "sheaf://ada@batch/b1",
    "sheaf://ada:word@batch/b1",
    "sheaf://batch:80/b1",
    "sheaf://batch/b1/cancel",
    "sheaf://batch/../file/f1/x",
    "sheaf://batch/%2e%2e",
    "sheaf://batch/b1%00",
    "sheaf://batch/b 1",
    `sheaf://batch/${"b".repeat(101)}`,
    "sheaf://settings/b1",
    "https://batch/b1",
    "javascript:alert(1)",
    "",
  ])("is refused: %s", (address) => {
    expect(readDeepLink(address)).toBeNull();
  });
});
