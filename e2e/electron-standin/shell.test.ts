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

describe("the menu", () => {
  it("is the app's own", () => {
    const { isSet, template } = launched.electron.Menu;
    expect(isSet).toBe(true);
    expect(template).toContainEqual({ role: "editMenu" });
  });
});

describe("the guards", () => {
  it.each(["will-frame-navigate", "will-redirect"] as const)("keep the page from leaving (%s)", (event) => {
    const { webContents } = launched.window;
    for (const url of ["https://example.com/", "file:///etc/passwd", "sheaf://elsewhere/", "data:text/html,x"]) {
      expect(webContents.tryToNavigate(url, event), url).toBe(false);
    }
    expect(webContents.tryToNavigate("sheaf://app/batches", event)).toBe(true);
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
    for (const permission of ["media", "geolocation", "notifications", "clipboard-read", "openExternal"] as const) {
      expect(defaultSession.request(permission, "sheaf://app/"), permission).toBe(false);
      expect(defaultSession.check(permission, "sheaf://app"), permission).toBe(false);
    }
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

  it.each(["/", "/batches/batch_1"])("serves the page at %s under a policy with a nonce of its own", async (path) => {
    const response = await fetchPage(path);
    const policy = response.headers.get("content-security-policy") ?? "";
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    expect(response.status).toBe(200);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    expect(nonce).toBeTruthy();
    expect(await response.text()).toContain(`content="${nonce}"`);
    expect((await fetchPage(path)).headers.get("content-security-policy")).not.toContain(nonce);
  });

  it("serves the page's files with their types", async () => {
    const html = await (await fetchPage("/")).text();
    const script = /<script[^>]+src="([^"]+)"/.exec(html)?.[1] ?? "";
    const response = await fetchPage(script);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/javascript");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it.each([
    "/missing.js",
    "/../main/index.js",
    "/%2e%2e/main/index.js",
    "/..%2fmain%2findex.js",
    "/..%5cmain%5cindex.js",
    "/assets/..%2f..%2f..%2fpackage.json",
  ])("serves nothing at %s", async (path) => {
    expect((await fetchPage(path)).status).toBe(404);
  });

  it("serves nothing to another host, and takes nothing in", async () => {
    expect((await launched.electron.protocol.fetch("sheaf://elsewhere/")).status).toBe(404);
    expect((await fetchPage("/", { method: "POST", body: "x" })).status).toBe(405);
  });
});
