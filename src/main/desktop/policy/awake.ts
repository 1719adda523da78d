import type { RunningBatch } from "./running-batch.ts";

export interface AwakeSetting {
  /** The user's choice. */
  readonly keepsAwake: boolean;
  readonly isOnBattery: boolean;
}

/** Whether the computer is kept from sleeping: while Sheaf itself asks lines. A batch at a service runs without this computer. */
export function shouldStayAwake(running: readonly RunningBatch[], { keepsAwake, isOnBattery }: AwakeSetting): boolean {
  return keepsAwake && !isOnBattery && running.some(({ asksItself }) => asksItself);
}
