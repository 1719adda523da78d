import type { Clock, Connections, Ids, Logger, Machine, SecretStore } from "#main/base";
import type { KeepLimits } from "#main/batches";
import type { SteeredEngineSettings } from "#main/engines";
import type { FileLimits, ValidationThread } from "#main/requests";
import type { SearchThread } from "#main/results";
import type { DurabilityMode } from "#main/storage";
import type { JudgeThread } from "#main/verifications";

/** How a service is set up. Its data goes to `dataDir`, or with `ephemeral` to memory and a temporary folder. */
export type ServiceOptions = ServiceSettings &
  (
    | {
        readonly dataDir: string;
        readonly ephemeral?: false;
        /** Registers uploads again whose journal is missing or empty, which stops the start otherwise. */
        readonly adopt?: boolean;
        /** When what is stored is brought to the disk itself; `second` by default. */
        readonly durability?: DurabilityMode | undefined;
      }
    /** Keeps nothing beyond `close`: a folder of its own is removed then. */
    | { readonly ephemeral: true; readonly dataDir?: never }
  );

/** How it works, whatever its data. */
export interface ServiceSettings extends SteeredEngineSettings {
  /** 200 MB, 50,000 requests and 16 MB for each by default (decisions.md, Validation errors). */
  readonly fileLimits?: Partial<FileLimits>;
  /** Of input files that the app makes: 4 GB and 1,000,000 requests by default, and never less than those of uploads. */
  readonly generatedFileLimits?: Partial<Omit<FileLimits, "lineBytes">>;
  /** How much of what has ended is kept; all by default. */
  readonly keep?: KeepLimits;
  /** Where the MCP token is kept; in memory by default. */
  readonly secrets?: SecretStore;
  /** Where batches may be answered besides; none by default. */
  readonly connections?: Connections;
  /** Other data folders whose answers batches of connections may use again; they are read, also while another process works in them. */
  readonly archives?: () => Promise<readonly string[]>;
  /** Whether their batches are listed next to the own ones, to be read. */
  readonly listsArchives?: boolean;
  /** Called while the records of the data folder are read, with the bytes read so far and all bytes. */
  readonly onReading?: (done: number, total: number) => void;
  readonly clock?: Clock;
  /** The computer's by default. */
  readonly machine?: Machine;
  readonly ids?: Ids;
  readonly logger?: Logger;
  /** Checks the input files of several services; otherwise the service has a thread of its own, which ends with it. */
  readonly validation?: ValidationThread;
  /** The same for judging and grading. */
  readonly judge?: JudgeThread;
  /** The same for reading the files of results. */
  readonly search?: SearchThread | undefined;
  /** The entry of the thread of its own that searches; the program's by default. */
  readonly searchWorker?: URL;
}
