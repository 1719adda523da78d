import { z } from "zod";

const rootSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  optionalDependencies: z.object({ keytar: z.string() }),
});

/** An export that has one file for `import` and `require`: Node requires ES modules, too. */
function describeExport(name: string) {
  return { types: `./out/main/${name}.d.ts`, default: `./out/main/${name}.js` };
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
    engines: { node: ">=22.19" },
    bin: { sheaf: "bin/sheaf.cjs" },
    exports: {
      ".": describeExport("testing"),
      "./testing": describeExport("testing"),
      "./package.json": "./package.json",
    },
    files: ["bin", "examples", "out", "!*.map"],
    peerDependencies: { keytar: `^${optionalDependencies.keytar}` },
    peerDependenciesMeta: { keytar: { optional: true } },
  };
}
