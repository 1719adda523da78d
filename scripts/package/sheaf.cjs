#!/usr/bin/env node
// @ts-nocheck: its paths are those of the package.
// Written so that every Node can parse it: an old one gets a sentence in place of a syntax error.
var needed = require("../package.json").engines.node.replace(">=", "");

function isOlder(version, other) {
  var left = version.split(".").map(Number);
  var right = other.split(".").map(Number);
  return left[0] !== right[0] ? left[0] < right[0] : left[1] < right[1];
}

if (isOlder(process.versions.node, needed)) {
  // biome-ignore lint/style/useTemplate: Node versions that this is for can't parse templates.
  process.stderr.write("sheaf needs Node " + needed + " or newer: this is Node " + process.versions.node + ".\n");
  process.exit(2);
} else {
  require("../out/main/cli.js");
}
