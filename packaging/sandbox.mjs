/**
 * What would start the app without Chromium's sandbox, a sentence each.
 * @param {Record<string, any>} config of electron-builder
 * @param {Readonly<Record<string, string>>} scripts that start or install the app, by their names
 */
export function findSandboxOff(config, scripts) {
  const args = ["linux", "appImage", "deb", "rpm"].flatMap((part) =>
    JSON.stringify(config[part]?.executableArgs ?? (part === "linux" ? null : [])) === "[]" ? [] : [part],
  );
  const named = Object.entries({ "the configuration": JSON.stringify(config), ...scripts })
    .filter(([, text]) => /--(no|disable-\w*)-?sandbox/.test(text))
    .map(([name]) => name);
  return [
    ...args.map((part) => `${part}.executableArgs is not [], so that packages may start the app with arguments.`),
    ...named.map((name) => `${name} turns the sandbox off.`),
  ];
}
