/**
 * Who may import whom (docs/ARCHITECTURE.md). `npm run lint` fails on every import that is not allowed here.
 * @type {import("dependency-cruiser").IConfiguration}
 */
const { floors, withinFloor } = require("./scripts/rooms.cjs");

const node = ["core"];
const testFiles = "\\.(test|soak)\\.tsx?$|/testing/";
const testFilesOfRooms = "\\.test\\.tsx?$";

module.exports = {
  forbidden: [
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-unresolvable",
      comment: "These two are types alone: their packages are @types/hast and @types/mdast.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^(hast|mdast)$" },
    },
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
    ...floors.flatMap((rooms, floor) =>
      rooms.map((room) => {
        const reachable = [...floors.slice(0, floor).flat(), ...(withinFloor[room] ?? []), room];
        return {
          name: `floor-of-${room}`,
          comment: "A room imports rooms of lower floors (docs/ARCHITECTURE.md, Floors).",
          severity: "error",
          from: { path: `^src/main/${room}/`, pathNot: testFiles },
          to: { path: "^src/main/", pathNot: ["^src/main/app-paths\\.ts$", `^src/main/(${reachable.join("|")})/`] },
        };
      }),
    ),
    {
      name: "rooms-through-their-index",
      comment: "A room is reached through its index.ts (`#main/<room>`), and through nothing else.",
      severity: "error",
      from: { path: "^src/main/([^/]+)/", pathNot: testFiles },
      to: { path: "^src/main/[^/]+/", pathNot: ["^src/main/$1/", "^src/main/[^/]+/index\\.ts$"] },
    },
    {
      name: "hosts-through-indexes",
      severity: "error",
      from: { path: "^src/(main/[^/]+\\.ts$|testing/|preload/)", pathNot: testFilesOfRooms },
      to: { path: "^src/main/[^/]+/", pathNot: "^src/main/[^/]+/index\\.ts$" },
    },
    {
      name: "ground-knows-nobody",
      severity: "error",
      from: { path: "^src/main/app-paths\\.ts$" },
      to: { path: "^src/" },
    },
    {
      name: "testing-is-for-tests",
      severity: "error",
      from: { path: "^src/main/", pathNot: testFiles },
      to: { path: "^src/main/.*/testing/" },
    },
    {
      name: "contract-only-through-its-index",
      severity: "error",
      from: { path: "^src/", pathNot: ["^src/contract/", testFiles] },
      to: { path: "^src/contract/", pathNot: "^src/contract/(index|channels)\\.ts$" },
    },
    {
      name: "time-is-handed-in",
      comment:
        "Node's timers fire early, and no test can turn them: take them of the machine or clock that is handed in.",
      severity: "error",
      from: {
        path: "^src/main/",
        pathNot: [testFiles, "\\.soak\\.ts$", "^src/main/base/clock/"],
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
      from: { path: "^src/main/headless\\.ts$" },
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
