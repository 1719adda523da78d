import { parseArgs } from "node:util";

/** What electron-builder gives fpm. An option that is not here ends the run: a later electron-builder may mean something by it. */
export function readArguments() {
  return parseArgs({
    allowPositionals: true,
    options: {
      "input-type": { type: "string", short: "s" },
      "output-type": { type: "string", short: "t" },
      force: { type: "boolean" },
      depends: { type: "string", short: "d", multiple: true },
      architecture: { type: "string" },
      "after-install": { type: "string" },
      "after-remove": { type: "string" },
      category: { type: "string" },
      description: { type: "string" },
      license: { type: "string" },
      maintainer: { type: "string" },
      name: { type: "string" },
      package: { type: "string" },
      url: { type: "string" },
      vendor: { type: "string" },
      version: { type: "string" },
      "deb-changelog": { type: "string" },
      "deb-compression": { type: "string" },
      "deb-priority": { type: "string" },
      "deb-recommends": { type: "string", multiple: true },
      "rpm-compression": { type: "string" },
      "rpm-os": { type: "string" },
      "rpm-summary": { type: "string" },
      "rpm-tag": { type: "string", multiple: true },
    },
  });
}

/** @typedef {ReturnType<typeof readArguments>["values"]} FpmOptions */
