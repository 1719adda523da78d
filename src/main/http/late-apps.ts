import { type AddRoutes, type LateGroup, lateGroups } from "./groups/index.ts";
import type { HttpApp } from "./http-app.ts";

interface LateApps {
  /** The app that has the route of this address, once it is ready; null for the core. */
  appFor(url: string): HttpApp | Promise<HttpApp> | null;
  openAll(): Promise<void>;
  close(): Promise<void>;
}

/** Apps of the groups of routes that are added with their first use. */
export function createLateApps(create: (add: AddRoutes) => HttpApp): LateApps {
  const opening = new Map<LateGroup, Promise<HttpApp>>();
  const ready = new Map<LateGroup, HttpApp>();

  async function open(group: LateGroup): Promise<HttpApp> {
    const app = create(await group.load());
    await app.ready();
    ready.set(group, app);
    return app;
  }

  function openOnce(group: LateGroup): Promise<HttpApp> {
    const known = opening.get(group);
    if (known !== undefined) return known;
    const opened = open(group);
    opening.set(group, opened);
    // What fails may be the disk: the next request tries again.
    opened.catch(() => opening.delete(group));
    return opened;
  }

  return {
    appFor(url) {
      const asked = decodePath(url);
      const group = lateGroups.find(({ path }) => path.test(asked));
      return group === undefined ? null : (ready.get(group) ?? openOnce(group));
    },
    async openAll() {
      if (ready.size < lateGroups.length) await Promise.all(lateGroups.map(openOnce));
    },
    async close() {
      await Promise.allSettled(opening.values());
      await Promise.all([...ready.values()].map((app) => app.close()));
    },
  };
}

/** The path as the router reads it: what has a meaning in an address stays encoded, and so does what can't be decoded. */
function decodePath(url: string): string {
  const [path = ""] = url.split("?");
  try {
    return path.includes("%") ? decodeURI(path) : path;
  } catch {
    return path;
  }
}
