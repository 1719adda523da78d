/**
 * Who may import whom (docs/ARCHITECTURE.md). `npm run lint` fails on every import that is not allowed here.
 * @type {import("dependency-cruiser").IConfiguration}
 */
const node = ["core"];
const testFiles = "\\.test\\.tsx?$|/testing/";

module.exports = {
  forbidden: [
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    { name: "no-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "optional-packages-not-by-name",
      comment:
        "npm leaves these out where they can't be had. What imports one would not resolve, compile or bundle there.",
      severity: "error",
      from: {},
      to: { path: "(^|node_modules/)(keytar|node-(bin-)?(darwin|linux|win)-)" },
    },
    {
      name: "no-readline-on-data",
      comment:
        "It splits at U+2028, too, which is text in JSON. Data is read by streamLines and scanLines; a terminal may be.",
      severity: "error",
      from: { path: "^src/", pathNot: [testFiles, "\\.soak\\.ts$", "^src/main/cli/(open-secrets|commands/web)\\.ts$"] },
      to: { path: "^(node:)?readline" },
    },
    {
      name: "contract-imports-only-zod",
      severity: "error",
      from: { path: "^src/contract/", pathNot: testFiles },
      to: { pathNot: ["^src/contract/", "^node_modules/(zod|@orpc/contract)/"] },
    },
    {
      name: "service-knows-nobody",
      severity: "error",
      from: { path: "^src/main/service/" },
      to: { path: "^src/", pathNot: ["^src/main/service/", "^src/contract/index\\.ts$", "^src/main/own-files\\.ts$"] },
    },
    {
      name: "service-parts-through-their-index",
      comment: "A part of the service reaches another part only through that part's index.ts.",
      severity: "error",
      from: { path: "^src/main/service/([^/]+)/", pathNot: testFiles },
      to: {
        path: "^src/main/service/([^/]+)/.+",
        pathNot: ["^src/main/service/$1/", "^src/main/service/[^/]+/index\\.ts$"],
      },
    },
    {
      name: "service-only-through-its-index",
      severity: "error",
      from: { path: "^src/", pathNot: ["^src/main/service/", testFiles] },
      to: { path: "^src/main/service/", pathNot: "^src/main/service/(index|validation|clock/machine)\\.ts$" },
    },
    {
      name: "contract-only-through-its-index",
      severity: "error",
      from: { path: "^src/", pathNot: ["^src/contract/", testFiles] },
      to: { path: "^src/contract/", pathNot: "^src/contract/(index|channels)\\.ts$" },
    },
    {
      name: "middle-parts-know-no-shell",
      comment: "build, connections, exports, secrets, server, uploads, rpc and web run in every host.",
      severity: "error",
      from: { path: "^src/main/(build|connections|exports|secrets|server|uploads|rpc|web|app)/" },
      to: { path: ["^src/main/(desktop|cli)/", "^src/main/(index|headless)\\.ts$", "^src/(renderer|preload)/"] },
    },
    {
      name: "time-is-handed-in",
      comment:
        "Node's timers fire early, and no test can turn them: take them of the machine or clock that is handed in.",
      severity: "error",
      from: {
        path: "^src/main/",
        pathNot: [testFiles, "\\.soak\\.ts$", "^src/main/service/clock/"],
      },
      to: { path: "^(node:)?timers" },
    },
    {
      name: "electron-only-in-the-shell",
      severity: "error",
      from: { path: "^src/", pathNot: ["^src/main/desktop/", "^src/main/index\\.ts$", "^src/preload/"] },
      to: { path: ["^electron$", "^node_modules/electron/"] },
    },
    {
      name: "headless-without-desktop",
      severity: "error",
      from: { path: "^src/main/(headless\\.ts$|cli/)" },
      to: { path: "^src/main/desktop/" },
    },
    {
      name: "preload-imports-names-only",
      severity: "error",
      from: { path: "^src/preload/" },
      to: { pathNot: ["^electron$", "^node_modules/electron/", "^src/contract/channels\\.ts$"] },
    },
    {
      name: "renderer-is-a-page",
      severity: "error",
      from: { path: "^src/renderer/", pathNot: testFiles },
      to: { path: ["^src/main/", "^src/preload/"] },
    },
    {
      name: "renderer-without-node",
      severity: "error",
      from: { path: "^src/renderer/", pathNot: testFiles },
      to: { dependencyTypes: node },
    },
    {
      name: "features-are-apart",
      severity: "error",
      from: { path: "^src/renderer/src/features/([^/]+)/" },
      to: { path: "^src/renderer/src/features/([^/]+)/", pathNot: "^src/renderer/src/features/$1/" },
    },
    {
      name: "components-know-no-feature",
      severity: "error",
      from: { path: "^src/renderer/src/(components|bridge|queries|state)/" },
      to: { path: "^src/renderer/src/(features|app)/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // The swc parser sees type-only imports by itself; tsPreCompilationDeps would ask for TypeScript before 7.
    parser: "swc",
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
    },
  },
};
