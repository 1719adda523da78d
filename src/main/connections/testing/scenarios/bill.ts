/** What a service has charged for one question, however often and in whatever batch it was asked. */
export interface BilledLine {
  readonly question: string;
  /** Its ids in batches. */
  readonly ids: readonly string[];
  /** How often it was asked: in batches that were made, and in calls. */
  readonly asked: number;
  /** How often it was answered, which is what costs money. */
  readonly paid: number;
  /** The answers that were paid for, two where the service gave two for one price. */
  readonly answers: readonly string[];
  /** How often it was asked before the time that the service had named. */
  readonly early: number;
}

/** What an audit finds, each as questions, or as answers for `strange`. */
export interface Audit {
  /** Answered more than once. */
  readonly paidTwice: readonly string[];
  /** Answered, and the answer was handed out or can be fetched, but the client doesn't have it. */
  readonly lost: readonly string[];
  /** Answered, but the service never hands the answer out. */
  readonly withheld: readonly string[];
  /** Answers that the client has and that weren't given to it: those of another job. */
  readonly strange: readonly string[];
}

/** The bill of a stand-in. */
export interface Bill {
  readonly lines: readonly BilledLine[];
  /** Calls one by one: all of them, and those before the time that the service had named. */
  readonly calls: number;
  readonly early: number;
  /** One question's lines of the bill, found by the question or by an id. */
  line(question: string): BilledLine;
  /** Compares the answers that a client has in the end, as texts, with what it has paid. */
  audit(held: Iterable<string>): Audit;
}

interface Entry {
  readonly question: string;
  readonly ids: Set<string>;
  asked: number;
  early: number;
  readonly payments: { readonly answers: readonly string[]; readonly canBeHad: (answer: string) => boolean }[];
}

/** A bill, and the service's hand that writes it. */
export function createBill() {
  const entries = new Map<string, Entry>();

  const find = (question: string): Entry => {
    const entry = entries.get(question) ?? { question, ids: new Set(), asked: 0, early: 0, payments: [] };
    entries.set(question, entry);
    return entry;
  };

  const show = ({ question, ids, asked, early, payments }: Entry): BilledLine => ({
    question,
    ids: [...ids],
    asked,
    early,
    paid: payments.length,
    answers: payments.flatMap(({ answers }) => answers),
  });

  let calls = 0;
  const bill: Bill = {
    get lines() {
      return [...entries.values()].map(show);
    },
    get calls() {
      return calls;
    },
    get early() {
      return [...entries.values()].reduce((sum, { early }) => sum + early, 0);
    },
    line(question) {
      const entry = entries.get(question) ?? [...entries.values()].find(({ ids }) => ids.has(question));
      return show(entry ?? { question, ids: new Set(), asked: 0, early: 0, payments: [] });
    },
    audit(held) {
      const texts = new Set(held);
      const all = [...entries.values()];
      const unanswered = all.filter(
        // An empty answer has no text to be found by.
        ({ payments }) =>
          payments.length > 0 &&
          !payments.some(({ answers }) => answers.length === 0 || answers.some((one) => texts.has(one))),
      );
      const canBeHad = ({ payments }: Entry) =>
        payments.some((payment) => payment.answers.some((answer) => payment.canBeHad(answer)));
      const given = new Set(all.flatMap((entry) => show(entry).answers));
      const toQuestions = (found: readonly Entry[]) => found.map(({ question }) => question);
      return {
        paidTwice: toQuestions(all.filter(({ payments }) => payments.length > 1)),
        lost: toQuestions(unanswered.filter(canBeHad)),
        withheld: toQuestions(unanswered.filter((entry) => !canBeHad(entry))),
        strange: [...texts].filter((text) => !given.has(text)),
      };
    },
  };

  return {
    bill,
    ask(question: string, id?: string): void {
      const entry = find(question);
      entry.asked++;
      if (id !== undefined) entry.ids.add(id);
    },
    call(isEarly: boolean, question: string): void {
      calls++;
      if (isEarly) find(question).early++;
    },
    /** Charges one answer, which may have several texts; `canBeHad` is asked when the bill is audited. */
    pay(question: string, answers: readonly string[], canBeHad: (answer: string) => boolean): void {
      find(question).payments.push({ answers, canBeHad });
    },
  };
}

/** What writes a bill. */
export type Cashier = ReturnType<typeof createBill>;
