import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "node",
    testTimeout: 20_000,
    // No test keeps anything in the keychain of whoever runs it, but those that bring one of their own.
    env: { SHEAF_SECRETS: "memory", SHEAF_PASSPHRASE: "" },
    // Many tests wait for processes and threads of their own: no core needs to be left for anything else.
    maxWorkers: "100%",
    reporters: ["default"],
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["src/**/*.test.ts", "scripts/**/*.test.ts", "examples/**/*.test.ts"] },
      },
      {
        extends: true,
        test: {
          name: "desktop",
          include: ["e2e/electron-standin/**/*.test.ts"],
          globalSetup: "e2e/electron-standin/setup-build.ts",
          // The built app is run as it is, by Node itself.
          server: { deps: { external: [/\/out\/main\//] } },
        },
      },
    ],
  },
});
