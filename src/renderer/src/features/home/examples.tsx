import { IconBraces, IconCalculator, IconShieldCheck } from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { ExampleName } from "#contract";
import { Card } from "./card.tsx";
import classes from "./home-page.module.css";

export interface ExamplesProps {
  readonly onTryExample: (name: ExampleName) => void;
  readonly isOpeningExample: boolean;
}

interface Example {
  readonly name: ExampleName;
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
  readonly title: string;
  readonly about: string;
}

const examples: readonly Example[] = [
  {
    name: "gsm8k-200",
    icon: IconCalculator,
    title: "200 math questions, graded",
    about: "Asks them one by one; then Grade compares each answer with the right one.",
  },
  {
    name: "reviews-200",
    icon: IconBraces,
    title: "200 reviews to JSON by a schema",
    about: "Each review becomes a sentiment, a topic and a reason, as columns of a table.",
  },
  {
    name: "halueval-qa-200",
    icon: IconShieldCheck,
    title: "200 answers, verified against documents",
    about: "Asks about a passage; then Verify holds each answer against that passage.",
  },
];

interface AllExamplesProps extends ExamplesProps {
  /** Whether no model is connected that could answer. */
  readonly isMadeUp: boolean;
}

const madeUp = "No model connected: answers are mock data.";

/** The worked examples below everything else. */
export function ExampleLinks({ isMadeUp, onTryExample, isOpeningExample }: AllExamplesProps) {
  return (
    <p className={classes.links}>
      Examples:
      {examples.map(({ name, title }) => (
        <button key={name} type="button" disabled={isOpeningExample} onClick={() => onTryExample(name)}>
          {title}
        </button>
      ))}
      {isMadeUp ? <span>{madeUp}</span> : null}
    </p>
  );
}

/** The worked examples, one click each: on a first run they are what Home is about. */
export function Examples({ isMadeUp, onTryExample, isOpeningExample }: AllExamplesProps) {
  return (
    <Card title="Start with an example">
      <div className={classes.examples}>
        <p className={classes.lead}>
          A batch asks a model one question for each row of a table. Each of these opens in Build with real rows and a
          prompt, ready to be submitted.
        </p>
        {examples.map(({ name, icon: Icon, title, about }) => (
          <button
            key={name}
            type="button"
            className={classes.example}
            disabled={isOpeningExample}
            onClick={() => onTryExample(name)}
          >
            <span className={classes.exampleIcon} aria-hidden>
              <Icon size={18} stroke={1.6} />
            </span>
            <span>
              <strong>{title}</strong>
              <span className={classes.exampleAbout}>{about}</span>
            </span>
          </button>
        ))}
        {isMadeUp ? <p className={classes.soft}>{madeUp}</p> : null}
      </div>
    </Card>
  );
}
