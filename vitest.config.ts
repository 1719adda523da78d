import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "node",
    testTimeout: 20_000,
    reporters: ["default"],
    projects: [
      { extends: true, test: { name: "unit", include: ["src/**/*.test.ts", "scripts/**/*.test.ts"] } },
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
