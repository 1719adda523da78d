/**
 * How the desktop packages are made, all systems in one place. `npm run package:desktop` reads it: packaging/variant.mjs adds
 * what differs from run to run (where Electron is, where the results go), and `-- --check` holds it against electron-builder's
 * own schema. The reasons are in docs/packaging.md.
 */

import { appId } from "./src/main/desktop/policy/app-id.ts";

/** Tables that the app opens. It offers itself for them, and is the default for none. */
const tableExtensions = ["jsonl", "csv", "tsv", "xlsx", "json", "parquet"];

/** What `npm run package:desktop` makes before it packs: icons, copyright, changelog, the link in /usr/bin. */
const resources = "dist/.resources";

const linkInPath = `${resources}/sheaf-desktop=/usr/bin/sheaf-desktop`;

/** The command line, in deb and rpm alone. The packages' scripts make /usr/bin/sheaf a link to it. */
const commandLine = `${resources}/cli/=/opt/Sheaf/cli`;

export default {
  appId,
  productName: "Sheaf",
  directories: { buildResources: resources },
  artifactName: "sheaf-${version}-${os}-${arch}.${ext}",
  publish: null,

  // A whitelist, because dependencies are in the bundles: nothing of node_modules but keytar, which is a binary.
  // The patterns stay together: those behind an object are a list of their own to electron-builder.
  files: [
    {
      from: "node_modules/keytar",
      to: "node_modules/keytar",
      filter: ["package.json", "LICENSE.md", "lib/keytar.js", "build/Release/keytar.node"],
    },
    "!**/*",
    "package.json",
    "LICENSE",
    "out/main/*",
    "out/preload/*",
    "out/renderer/**",
    "examples/*-200.jsonl",
    "examples/*-200.LICENSE",
  ],
  asar: true,
  asarUnpack: ["node_modules/keytar/build/Release/keytar.node"],
  // keytar comes as it was installed: each architecture is packed on a machine of its own.
  npmRebuild: false,

  electronFuses: {
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  },

  protocols: [{ name: "Sheaf", schemes: ["sheaf"] }],

  linux: {
    target: ["dir", "AppImage", "deb", "rpm"],
    icon: "icons",
    // Not `sheaf`: that is the command line.
    executableName: "sheaf-desktop",
    category: "Utility",
    synopsis: "Batches of chat-completion requests on your own machine",
    syncDesktopName: true,
    // Left out, electron-builder adds --no-sandbox to AppImages.
    executableArgs: [],
    // Types that systems don't know yet. Others are in `mimeTypes`: naming csv or xlsx here would define them anew for the system.
    fileAssociations: [
      { ext: "jsonl", mimeType: "application/jsonl", description: "JSON Lines" },
      { ext: "parquet", mimeType: "application/vnd.apache.parquet", description: "Apache Parquet table" },
    ],
    mimeTypes: [
      "text/csv",
      "text/tab-separated-values",
      "application/json",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ],
    desktop: {
      entry: { GenericName: "Batch requests", Keywords: "batch;csv;jsonl;llm;openai;", StartupNotify: "true" },
    },
  },
  toolsets: { appimage: "1.0.3" },
  deb: {
    artifactName: "sheaf_${version}_${arch}.${ext}",
    packageName: "sheaf",
    packageCategory: "utils",
    afterInstall: "packaging/linux/after-install.sh",
    afterRemove: "packaging/linux/after-remove.sh",
    // libc6 and libstdc++6 are what Node needs, by the versions of symbols in it.
    depends: [
      "libc6 (>= 2.28)",
      "libstdc++6 (>= 5.1)",
      "libasound2 | libasound2t64",
      "libatspi2.0-0 | libatspi2.0-0t64",
      "libgbm1",
      "libgtk-3-0 | libgtk-3-0t64",
      "libnotify4",
      "libnss3",
      "libxss1",
      "libxtst6",
      "xdg-utils",
    ],
    recommends: ["libsecret-1-0"],
    fpm: [
      "--deb-changelog",
      `${resources}/changelog`,
      `${resources}/copyright=/usr/share/doc/sheaf/copyright`,
      linkInPath,
      commandLine,
    ],
  },
  rpm: {
    artifactName: "sheaf-${version}.${arch}.${ext}",
    packageName: "sheaf",
    afterInstall: "packaging/linux/after-install.lua",
    afterRemove: "packaging/linux/after-remove.lua",
    // The first two are what Node needs. Fedora and openSUSE name the packages differently, and these alike.
    depends: [
      "libc.so.6(GLIBC_2.28)(64bit)",
      "libstdc++.so.6(GLIBCXX_3.4.21)(64bit)",
      "alsa-lib",
      "at-spi2-core",
      "gtk3",
      "libXScrnSaver",
      "(libXtst or libXtst6)",
      "libnotify",
      "(mesa-libgbm or libgbm1)",
      "(nss or mozilla-nss)",
      "xdg-utils",
    ],
    fpm: ["--rpm-tag", "Recommends: libsecret", "LICENSE=/usr/share/licenses/sheaf/LICENSE", linkInPath, commandLine],
  },

  mac: {
    target: ["dir", "dmg", "zip"],
    icon: "icon.icns",
    category: "public.app-category.utilities",
    hardenedRuntime: true,
    entitlements: "packaging/mac/entitlements.plist",
    entitlementsInherit: "packaging/mac/entitlements.plist",
    fileAssociations: tableExtensions.map((ext) => ({ ext, name: `${ext} table`, role: "Viewer", rank: "Alternate" })),
  },

  win: {
    target: ["dir", "nsis", "portable"],
    icon: "icon.ico",
    // Not `fileAssociations`: electron-builder would make Sheaf the default for them. installer.nsh offers it.
  },
  nsis: {
    artifactName: "sheaf-${version}-setup-${arch}.${ext}",
    oneClick: true,
    perMachine: false,
    allowElevation: false,
    deleteAppDataOnUninstall: false,
    include: "packaging/windows/installer.nsh",
  },
  // Each start unpacks to a folder of its own: from one that they share, a second start would remove the files of the first.
  portable: { artifactName: "sheaf-${version}-portable-${arch}.${ext}", unpackDirName: true },
};
