import { Skeleton } from "@mantine/core";
import classes from "./batch-pending.module.css";

/** A batch that is being fetched: the shapes of what will stand here. */
export function BatchPending({ name }: { readonly name: string | undefined }) {
  return (
    <div className={classes.root} role="status" aria-label="The batch is being read">
      {name === undefined ? <Skeleton height={20} width={260} mt={8} /> : <h1 className={classes.name}>{name}</h1>}
      <Skeleton height={12} width={420} mt={18} />
      <Skeleton height={8} mt={18} />
      <Skeleton height={12} width={180} mt={14} />
    </div>
  );
}
