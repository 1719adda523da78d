import type { ServerResponse } from "node:http";
import type { Machine } from "#main/base";
import { type Reply, send } from "../stand-in.ts";
import type { Cashier } from "./bill.ts";
import type { Kind, Line } from "./kinds.ts";
import type { LineBehaviour, Outcome } from "./line-behaviour.ts";
import { findLineBehaviour } from "./line-behaviours.ts";
import type { Protocol } from "./protocol.ts";

/** One line's way to be answered, or that of all lines, and what has come of it so far. */
interface Way {
  readonly behaviour: LineBehaviour;
  since: number | null;
  readonly asked: Map<string, number>;
  /** Until when the service said to wait. */
  until: number;
}

interface CallsDeps {
  readonly kind: Kind;
  readonly protocol: Protocol;
  readonly cashier: Cashier;
  readonly machine: Pick<Machine, "monotonic">;
  now(): number;
}

/** How lines are answered: each in its own way, or as all are. */
export function createCalls({ kind, protocol, cashier, machine, now }: CallsDeps) {
  const ways = new Map<string, Way>();
  let answers = 0;

  const find = (line: Line): Way | undefined => ways.get(line.question) ?? ways.get(line.id) ?? ways.get("*");

  function decide(line: Line, way: Way | undefined): Outcome {
    if (way === undefined) return {};
    const time = machine.monotonic();
    way.since ??= time;
    const nth = (way.asked.get(line.question) ?? 0) + 1;
    way.asked.set(line.question, nth);
    const { model, question } = line;
    const outcome = way.behaviour.answer({ nth, elapsed: time - way.since, now: now(), model, question });
    way.until = typeof outcome === "object" && "waits" in outcome ? time + (outcome.waits ?? 0) : 0;
    return outcome;
  }

  return {
    /** Sets how a line is answered from now on, by its question or id; `*` for all that have no way of their own. */
    play(question: string, name: string): void {
      const behaviour = findLineBehaviour(kind, name);
      ways.set(question, { behaviour, since: null, asked: new Map(), until: 0 });
    },
    /** How a line is answered in a batch, where it is asked once. */
    outcomeOf(line: Line): Outcome {
      const behaviour = find(line)?.behaviour;
      if (behaviour === undefined || behaviour.isDirect === true) return {};
      return behaviour.answer({ nth: 1, elapsed: 0, now: now(), model: line.model, question: line.question });
    },
    /** Answers a call. */
    call(line: Line, isStream: boolean, hasUsage: boolean): Reply {
      cashier.ask(line.question);
      const way = find(line);
      cashier.call(way !== undefined && machine.monotonic() < way.until, line.question);
      const outcome = decide(line, way);
      if (outcome === "hang") return () => {};
      if (outcome === "cut") return (response) => void response.socket?.destroy();
      if (typeof outcome === "object" && "status" in outcome) return outcome;
      const text = `answer ${++answers} to ${line.question}`;
      const answer = protocol.writeAnswer(line, text, typeof outcome === "object" ? outcome : {});
      const body = isStream ? protocol.writeEvents(answer, hasUsage) : JSON.stringify(answer);
      const type = isStream ? "text/event-stream" : "application/json";
      let isOut = false;
      const hasOwnText = typeof outcome === "object" && "text" in outcome;
      cashier.pay(line.question, hasOwnText ? [] : [text], () => isOut);
      return (response) => {
        if (outcome === "cut in the answer") {
          sendHalf(response, type, body);
          return;
        }
        response.on("finish", () => {
          isOut = true;
        });
        send(response, { headers: { "content-type": type }, body });
      };
    },
  };
}

/** Sends half of what is announced, then closes the connection. */
export function sendHalf(response: ServerResponse, type: string, body: string, length = body.length / 2): void {
  response.writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(body) });
  response.write(body.slice(0, length), () => response.socket?.destroy());
}
