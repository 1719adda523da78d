/**
 * What the packed app may have. Names of chunks have a hash of what is in them.
 * @type {readonly RegExp[]}
 */
const allowed = [
  /^package\.json$/,
  /^LICENSE$/,
  /^out\/main\/[\w.-]+\.js$/,
  /^out\/main\/(o200k\.bin|licenses\.md)$/,
  /^out\/preload\/index\.cjs$/,
  /^out\/renderer\/(index\.html|icon\.svg|licenses\.md|theme\.js)$/,
  /^out\/renderer\/assets\/[\w.-]+\.(js|css|png|woff2)$/,
  /^examples\/[\w-]+-200\.(jsonl|LICENSE)$/,
  /^node_modules\/keytar\/(package\.json|LICENSE\.md|lib\/keytar\.js|build\/Release\/keytar\.node)$/,
];

/** What may lie outside the archive: the system loads it as a library. */
const allowedUnpacked = /^node_modules\/keytar\/build\/Release\/keytar\.node$/;

/** The most bytes of the archive. */
export const longestAsar = 25_000_000;

/**
 * What is wrong with the files of a packed app, a sentence each.
 * @param {object} app
 * @param {readonly string[]} app.files all of them, with forward slashes
 * @param {readonly string[]} app.unpacked those outside the archive
 * @param {readonly string[]} app.needed what was built, and has to be there
 */
export function checkFiles({ files, unpacked, needed }) {
  const there = new Set(files);
  return [
    ...files
      .filter((path) => !allowed.some((each) => each.test(path)))
      .map((path) => `${path} has no place in the app.`),
    ...unpacked.filter((path) => !allowedUnpacked.test(path)).map((path) => `${path} is outside the archive.`),
    ...needed.filter((path) => !there.has(path)).map((path) => `${path} is missing.`),
  ];
}

/** Of what is built, which files are the app's: what else is in the folder belongs to other commands. */
export const isAppFile = (/** @type {string} */ path) => allowed.some((each) => each.test(path));
