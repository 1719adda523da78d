/**
 * The rooms of `src/main`, floor by floor from the ground up (docs/ARCHITECTURE.md, Floors). Lint lets a room import
 * rooms of lower floors; `scripts/measure-house.mjs` counts by the same table.
 */
const floors = [
  ["base"],
  ["answers"],
  ["storage"],
  ["requests"],
  ["engines", "judging"],
  ["results"],
  ["batches"],
  ["connections", "secrets"],
  ["verifications", "doctor"],
  ["service"],
  ["http"],
  ["server", "build", "uploads", "exports"],
  ["rpc"],
  ["app"],
  ["cli", "web"],
  ["desktop"],
];

/** What a room imports of its own floor. */
const withinFloor = { doctor: ["verifications"], cli: ["web"] };

module.exports = { floors, withinFloor };
