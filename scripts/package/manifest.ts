import { z } from "zod";
import { neededNode } from "../../src/testing/needed-node.ts";

const rootSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  optionalDependencies: z.object({ keytar: z.string() }),
});

/** The package.json next to a command that is installed without npm. */
export function createCommandManifest(root: unknown) {
  const { name, version, license, type, engines } = createManifest(root);
  return { name, version, license, type, engines };
}

/** Of an ES module. */
function describeExport(name: string) {
  return { types: `./out/main/${name}.d.ts`, default: `./out/main/${name}.js` };
}

/** Of what is there as an ES module and for `require`. */
function describeBoth(name: string) {
  return {
    import: describeExport(name),
    require: { types: `./out/main/${name}.d.cts`, default: `./out/main/${name}.cjs` },
  };
}

/** The package.json of what is published. The project's own stays private: its code is there as TypeScript. */
export function createManifest(root: unknown) {
  const { name, version, description, license, optionalDependencies } = rootSchema.parse(root);
  return {
    name,
    version,
    description,
    license,
    keywords: ["mock", "openai", "llm", "batch", "testing", "mock-server"],
    type: "module",
    engines: { node: `>=${neededNode}` },
    bin: { sheaf: "bin/sheaf.cjs" },
    exports: {
      ".": describeBoth("testing"),
      "./testing": describeBoth("testing"),
      "./testing/process": describeBoth("process"),
      "./vitest": describeExport("vitest"),
      "./jest": describeBoth("jest"),
      "./package.json": "./package.json",
    },
    files: ["bin", "examples", "out", "!*.map"],
    peerDependencies: { keytar: `^${optionalDependencies.keytar}`, vitest: ">=3.2", "@jest/globals": ">=29" },
    peerDependenciesMeta: {
      keytar: { optional: true },
      vitest: { optional: true },
      "@jest/globals": { optional: true },
    },
  };
}
