import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Launched, launch } from "./launch.ts";

/** The built main process and preload, run under plain Node with the stand-in in Electron's place. */
let launched: Launched;

beforeAll(async () => {
  launched = await launch(["--ephemeral", "--pace=instant"]);
});

afterAll(async () => {
  await launched.quit();
});

describe("the window", () => {
  it("is sandboxed, isolated and without Node", () => {
    expect(launched.electron.app.sandboxed).toBe(true);
    expect(launched.window.options.webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
    });
  });

  it("has nothing on that is experimental or off by default", () => {
    const { experimentalFeatures, enableBlinkFeatures, plugins, webviewTag } =
      launched.window.options.webPreferences ?? {};
    expect([experimentalFeatures, webviewTag]).toEqual([false, false]);
    expect([enableBlinkFeatures, plugins]).toEqual([undefined, undefined]);
  });

  it("is on an exact version of Electron, of the major that its types are of", () => {
    const read = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
    expect(read("package.json").devDependencies.electron).toMatch(/^\d+\.\d+\.\d+$/);
    expect(read("node_modules/electron/package.json").version).toBe(read("package.json").devDependencies.electron);
  });

  it("has room for the page, remembers its position, and is not shown before it is drawn", () => {
    expect(launched.window.options).toMatchObject({
      minWidth: 900,
      minHeight: 600,
      show: false,
      backgroundColor: "#FBFAF7",
      name: "main",
      windowStatePersistence: true,
    });
    expect(launched.window.isVisible()).toBe(true);
  });

  it("comes to the front when the app is started a second time", () => {
    launched.window.blur();
    launched.electron.app.startAgain();
    expect(launched.window.isFocused()).toBe(true);
    expect(launched.electron.app.windows).toHaveLength(1);
  });
});

describe("the guards", () => {
  it.each(["will-frame-navigate", "will-redirect"] as const)("keep the page from leaving (%s)", (event) => {
    const { webContents } = launched.window;
    expect(["https://example.com/", "sheaf://app/batches"].map((url) => webContents.tryToNavigate(url, event))).toEqual(
      [false, true],
    );
    expect(launched.electron.shell.opened).toEqual([]);
  });

  it("open no second window, whatever its address", () => {
    const { webContents } = launched.window;
    for (const url of ["https://example.com/", "sheaf://app/", "about:blank"]) {
      expect(webContents.tryToOpen(url), url).toBe(false);
    }
    expect(launched.electron.shell.opened).toEqual([]);
  });

  it("hand a page that the app links to over to the browser", () => {
    const { webContents } = launched.window;
    const keys = "https://platform.openai.com/api-keys";
    expect(webContents.tryToOpen(keys)).toBe(false);
    expect(webContents.tryToOpen(`${keys}?from=an-answer`)).toBe(false);
    expect(launched.electron.shell.opened.splice(0)).toEqual([keys]);
  });

  it("let no webview in", () => {
    expect(launched.window.webContents.tryToAttachWebview()).toBe(false);
  });

  it("grant the page nothing but writing to the clipboard", () => {
    const { defaultSession } = launched.electron.session;
    expect(defaultSession.request("media", "sheaf://app/")).toBe(false);
    expect(defaultSession.check("media", "sheaf://app")).toBe(false);
    expect(defaultSession.request("clipboard-sanitized-write", "sheaf://app/")).toBe(true);
    expect(defaultSession.request("clipboard-sanitized-write", "https://example.com/")).toBe(false);
    expect(defaultSession.checkDevice("sheaf://app")).toBe(false);
    expect(defaultSession.tryToDownload()).toBe(false);
  });
});

describe("the page's scheme", () => {
  const fetchPage = (path: string, init?: RequestInit) => launched.electron.protocol.fetch(`sheaf://app${path}`, init);

  it("is a standard and secure one that bypasses no policy", () => {
    expect(launched.electron.protocol.schemes).toEqual([
      { scheme: "sheaf", privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
    ]);
  });

  // What else a file of the page comes with is the browser host's, too, and tested there.
  it("serves the page under a strict policy with a nonce of its own, its files, and nothing else", async () => {
    const [first, second] = [await fetchPage("/"), await fetchPage("/batches/batch_1")];
    const policy = first.headers.get("content-security-policy") ?? "";
    const html = await first.text();
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    expect(html).toContain(`content="${/'nonce-([^']+)'/.exec(policy)?.[1]}"`);
    expect([second.status, second.headers.get("content-security-policy") === policy]).toEqual([200, false]);

    const script = await fetchPage(/<script[^>]+src="([^"]+)"/.exec(html)?.[1] ?? "");
    expect(script.headers.get("content-type")).toContain("text/javascript");
    for (const path of ["/missing.js", "/%2e%2e/main/index.js", "/assets/..%5c..%5c..%5cpackage.json"])
      expect((await fetchPage(path)).status, path).toBe(404);
    expect((await launched.electron.protocol.fetch("sheaf://elsewhere/")).status).toBe(404);
    expect((await fetchPage("/", { method: "POST", body: "x" })).status).toBe(405);
  });
});
