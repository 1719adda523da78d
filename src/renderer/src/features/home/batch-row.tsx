import type { ReactNode } from "react";
import type { BatchView } from "#contract";
import { AnsweredBy, CutName, ModelNames } from "../../components/index.ts";
import classes from "./home-page.module.css";

/** The names of the columns that all lists of batches on Home share. */
export function BatchColumns({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <span className={classes.model}>Model</span>
      <span className={classes.connection}>Connection</span>
      {children}
    </>
  );
}

interface BatchRowProps {
  readonly batch: BatchView;
  readonly icon?: ReactNode;
  /** In the place of its connection, and of what its columns leave: it wraps. */
  readonly about?: ReactNode;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}

/** A batch as one line: its name, its model and its connection in columns of their own, then what the list is about. */
export function BatchRow({ batch, icon, about, onOpen, children }: BatchRowProps) {
  const { name, models, connection } = batch;
  return (
    <li>
      <button type="button" className={`${classes.row} ${classes.batch}`} onClick={onOpen}>
        <span className={classes.name}>
          {icon}
          <strong>
            <CutName name={name} title={[name, ...models, connection?.name].filter(Boolean).join("\n")} />
          </strong>
        </span>
        <span className={classes.model}>
          <ModelNames models={models} />
        </span>
        {about === undefined ? (
          <span className={classes.connection}>
            <AnsweredBy batch={batch} />
          </span>
        ) : (
          <span className={classes.about}>{about}</span>
        )}
        {children}
      </button>
    </li>
  );
}
