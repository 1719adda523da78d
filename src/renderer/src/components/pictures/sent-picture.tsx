import { Skeleton } from "@mantine/core";
import { IconExternalLink, IconPhotoOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { describeError, useApi } from "../../bridge/index.ts";
import { CopyButton } from "../copy-button.tsx";
import classes from "./pictures.module.css";
import { isAddress, type ThumbnailProps } from "./thumbnail.tsx";

export interface NamedPicture {
  /** Which one of its request, from 0. */
  readonly place: number;
  readonly name: string;
}

/** The pictures of a request, read from its column `picture`, which has a name a line. */
export function listPictures(names = ""): readonly NamedPicture[] {
  return names === "" ? [] : names.split("\n").map((name, place) => ({ place, name }));
}

/** Shows a sent picture above its name. Sheaf fetches no picture from the web: the user opens its link. */
export function SentPicture({ name, ...place }: ThumbnailProps) {
  return (
    <figure className={classes.figure}>
      {isAddress(name) ? null : <Whole name={name} {...place} />}
      <figcaption className={classes.caption}>
        <span className={classes.address} dir="auto">
          {name}
        </span>
        {isAddress(name) ? (
          <a className={classes.open} href={name} target="_blank" rel="noreferrer noopener">
            <IconExternalLink size={14} aria-hidden />
            Open picture
          </a>
        ) : null}
        <CopyButton compact label="Copy the picture’s name" value={name} />
      </figcaption>
    </figure>
  );
}

function Whole({ name, batchId, line, place, merged }: ThumbnailProps) {
  const [isBroken, setBroken] = useState(false);
  const input = { batchId, line, place, ...(merged && { merged }) };
  // It may be millions of characters: nothing keeps it when it is no longer shown.
  const { data, error } = useQuery(
    useApi().results.picture.queryOptions({ input, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }),
  );
  if (error === null && data === undefined) return <Skeleton height={120} aria-label="The picture is being read" />;
  const problem =
    data === undefined
      ? describeError(error).message
      : isBroken
        ? "Its data is damaged."
        : (data.problem ?? "It is at another address.");
  if (data?.url == null || isBroken) {
    return (
      <div className={classes.problem} role="note">
        <IconPhotoOff size={16} aria-hidden />
        The picture can’t be shown. {problem}
      </div>
    );
  }
  return <img className={classes.whole} src={data.url} alt={name} decoding="async" onError={() => setBroken(true)} />;
}
