import { useInViewport } from "@mantine/hooks";
import { IconPhoto, IconPhotoOff, IconWorld } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { describeError, useApi } from "../../bridge/index.ts";
import { type Thumbnail as Loaded, loadThumbnail, recallThumbnail } from "./load-thumbnail.ts";
import classes from "./pictures.module.css";

/** Where a picture of a request is: which one of its line, from 0. */
export interface PicturePlace {
  readonly batchId: string;
  readonly line: number;
  readonly place: number;
  readonly merged?: boolean | undefined;
}

export interface ThumbnailProps extends PicturePlace {
  /** Its path or address. */
  readonly name: string;
}

/** Whether a picture is on the web: Sheaf does not fetch it. */
export function isAddress(name: string): boolean {
  return /^https?:\/\//i.test(name);
}

/** Shows a picture of a request, small, beside its name. Sheaf reads it when it comes into view, and fetches none from the web. */
export function Thumbnail({ name, ...place }: ThumbnailProps) {
  return (
    <span className={classes.thumbnail} title={name}>
      {isAddress(name) ? (
        <IconWorld size={16} stroke={1.6} className={classes.sign} aria-label="Picture at another address:" />
      ) : (
        <Drawn key={JSON.stringify(place)} name={name} {...place} />
      )}
      <span className={classes.name} dir="auto">
        {shorten(name)}
      </span>
    </span>
  );
}

/** An address without its scheme, or the last part of a path; of data in the request nothing, since the picture is all there is. */
function shorten(name: string): string {
  if (isAddress(name)) return name.replace(/^https?:\/\//i, "");
  return /^(?:[\\/~]|[a-z]:|file:)/i.test(name) ? (name.split(/[\\/]/).findLast((part) => part !== "") ?? name) : "";
}

/** A moment in view before a picture is read, in milliseconds: rows that are scrolled past are left alone. */
const pause = 120;

function Drawn({ name, batchId, line, place, merged }: ThumbnailProps) {
  const { ref, inViewport } = useInViewport<HTMLSpanElement>();
  const api = useApi();
  const key = JSON.stringify([batchId, line, place, merged]);
  const [loaded, setLoaded] = useState<Loaded | undefined>(recallThumbnail(key));
  const isWanted = inViewport && loaded === undefined;
  useEffect(() => {
    if (!isWanted) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const read = () => api.results.picture.call({ batchId, line, place, small: true, ...(merged && { merged }) });
    const timer = setTimeout(() => {
      loadThumbnail(key, read, signal).then(
        (found) => signal.aborted || setLoaded(found),
        (error) => signal.aborted || setLoaded({ problem: describeError(error).message }),
      );
    }, pause);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [isWanted, api, key, batchId, line, place, merged]);

  return (
    <span ref={ref} className={classes.frame}>
      {loaded === undefined ? (
        <IconPhoto size={16} stroke={1.6} className={classes.sign} aria-hidden />
      ) : "problem" in loaded ? (
        <span title={`${name}\n${loaded.problem}`} className={classes.sign}>
          <IconPhotoOff size={16} stroke={1.6} aria-label={`The picture can’t be shown: ${loaded.problem}`} />
        </span>
      ) : (
        <canvas
          className={classes.small}
          width={loaded.bitmap.width}
          height={loaded.bitmap.height}
          role="img"
          aria-label={name}
          ref={(canvas) => void canvas?.getContext("2d")?.drawImage(loaded.bitmap, 0, 0)}
        />
      )}
    </span>
  );
}
