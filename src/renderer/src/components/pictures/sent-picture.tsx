import { Skeleton } from "@mantine/core";
import { IconExternalLink, IconPhotoOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type PropsWithChildren, useState } from "react";
import { describeError, useApi } from "../../bridge/index.ts";
import { CopyButton } from "../copy-button.tsx";
import classes from "./pictures.module.css";
import { isAddress, type PicturePlace, type ThumbnailProps } from "./thumbnail.tsx";

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
export function SentPicture(picture: ThumbnailProps) {
  const { name } = picture;
  if (isAddress(name)) return <Address {...picture} />;
  return (
    <figure className={classes.figure}>
      <Whole {...picture} />
      <Caption name={name} />
    </figure>
  );
}

/** A picture on the web. A table has only the start of a long address: a link leads to the whole one, or there is none. */
function Address({ name, ...place }: ThumbnailProps) {
  const { data, error } = useQuery({ ...usePicture(place), enabled: isCut(name) });
  const whole = data?.name ?? name;
  return (
    <figure className={classes.figure}>
      <Caption name={whole}>
        {isCut(whole) ? null : (
          <a className={classes.open} href={whole} target="_blank" rel="noreferrer noopener">
            <IconExternalLink size={14} aria-hidden />
            Open picture
          </a>
        )}
      </Caption>
      {error === null ? null : <Problem>Its whole address can’t be shown. {describeError(error).message}</Problem>}
    </figure>
  );
}

const isCut = (name: string) => name.endsWith("…");

function Caption({ name, children }: PropsWithChildren<{ readonly name: string }>) {
  return (
    <figcaption className={classes.caption}>
      <span className={classes.address} dir="auto">
        {name}
      </span>
      {children}
      <CopyButton compact label="Copy the picture’s name" value={name} />
    </figcaption>
  );
}

/** It may be millions of characters: nothing keeps it when it is no longer shown. */
function usePicture({ merged, ...place }: PicturePlace) {
  const input = { ...place, ...(merged && { merged }) };
  return useApi().results.picture.queryOptions({ input, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 });
}

function Whole({ name, ...place }: ThumbnailProps) {
  const [isBroken, setBroken] = useState(false);
  const { data, error } = useQuery(usePicture(place));
  if (error === null && data === undefined) return <Skeleton height={120} aria-label="The picture is being read" />;
  const problem =
    data === undefined
      ? describeError(error).message
      : isBroken
        ? "Its data is damaged."
        : (data.problem ?? "It is at another address.");
  if (data?.url == null || isBroken) {
    return <Problem>The picture can’t be shown. {problem}</Problem>;
  }
  return <img className={classes.whole} src={data.url} alt={name} decoding="async" onError={() => setBroken(true)} />;
}

function Problem({ children }: PropsWithChildren) {
  return (
    <div className={classes.problem} role="note">
      <IconPhotoOff size={16} aria-hidden />
      <span>{children}</span>
    </div>
  );
}
