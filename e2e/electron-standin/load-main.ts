import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import type { ElectronStandIn } from "./electron.ts";

/** Where the synthetic module behind `electron` finds the stand-in. */
const slot = Symbol.for("electron-standin");
let loads = 0;

/**
 * Evaluates a main bundle as Electron does, with `import … from "electron"` answered by the stand-in. Importing a name
 * that the stand-in lacks fails at once.
 */
export async function loadMain(path: string, electron: ElectronStandIn): Promise<void> {
  loads += 1;
  const moduleUrl = `electron-standin:${loads}`;
  Reflect.set(globalThis, slot, electron);
  const names = Object.keys(electron).join(", ");
  const source = `export const { ${names} } = globalThis[Symbol.for(${JSON.stringify(slot.description)})];`;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "electron" ? { url: moduleUrl, format: "module", shortCircuit: true } : next(specifier, context),
    load: (url, context, next) =>
      url === moduleUrl ? { format: "module", source, shortCircuit: true } : next(url, context),
  });
  try {
    // The query makes it another module each time, as it is in each process.
    await import(`${pathToFileURL(path).href}?load=${loads}`);
  } finally {
    hooks.deregister();
  }
}
