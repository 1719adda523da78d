import type { Logger } from "#service";
import type { SecretPlace, Secrets } from "./place.ts";

/**
 * Takes what is in a lesser place over into a better one, where it has nothing of that name. A secret leaves the lesser
 * place only when it has been read back from the better one. Answers with all that the better place has then.
 */
export async function moveUp(better: SecretPlace, lesser: SecretPlace, logger: Logger): Promise<Secrets> {
  const found = await lesser.load();
  const before = await better.load();
  for (const [name, value] of found) if (!before.has(name)) await better.save(name, value);
  const after = await better.load();
  for (const [name, value] of found) {
    if (after.get(name) !== (before.get(name) ?? value)) continue;
    await lesser.erase(name);
    logger.info("a key or token was moved", { name, from: lesser.name, to: better.name });
  }
  return after;
}
