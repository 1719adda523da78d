/**
 * `npm run bench`: what the service takes for its work; `npm run bench -- verify`: how often verification is right, and how
 * fast; `npm run bench -- upstream`: how near calls to a server elsewhere come to what it allows; `npm run bench -- results`:
 * how fast a million results are read; `npm run bench -- exports`: how fast they are written as tables; `npm run bench -- tables`:
 * how fast a million rows are counted; `npm run bench -- drop`: how fast a table becomes a batch that runs; `npm run bench -- ui`:
 * how fast the page is with them, in Chromium; `npm run bench -- schemas`: how long the service keeps others waiting while the
 * mock answers JSON schemas that are large or have no end; `npm run bench -- package`: how fast the packed package starts; `npm run bench -- scale`: how it grows
 * with lines, batches, files and the journal.
 */
if (process.argv[2] === "verify") await import("./verify/index.ts");
else if (process.argv[2] === "upstream") await import("./upstream.ts");
else if (process.argv[2] === "results") await import("./results/index.ts");
else if (process.argv[2] === "exports") await import("./exports.ts");
else if (process.argv[2] === "tables") await import("./tables/index.ts");
else if (process.argv[2] === "drop") await import("./drop.ts");
else if (process.argv[2] === "ui") await import("./ui.ts");
else if (process.argv[2] === "package") await import("./package.ts");
else if (process.argv[2] === "schemas") await import("./schemas.ts");
else if (process.argv[2] === "scale") await import("./scale/index.ts");
else await import("./service.ts");

export {};
