/** The page's own fetch asks only a server that lets pages call it. */
export default { test: { testTimeout: 60_000, include: ["tricks/*.test.mjs"], provide: { sheaf: { cors: "*" } } } };
