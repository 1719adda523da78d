/** `npm run bench`: what the service takes for its work; `npm run bench -- verify`: how often verification is right, and how fast. */
if (process.argv[2] === "verify") await import("./verify/index.ts");
else await import("./service.ts");

export {};
