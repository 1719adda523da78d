// @ts-nocheck: its paths are those of the package.
/** For `require`, which can't load an ES module that awaits. */
exports.startSheaf = async (options) => (await import("./testing.js")).startSheaf(options);
