import {
  IconArrowsJoin,
  IconArrowsSplit,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconFileCheck,
  IconFileX,
  IconSearchOff,
} from "@tabler/icons-react";
import {
  type Agreement,
  type ClaimCounts,
  countVerdicts,
  describeClaimCounts,
  describeVerdictCounts,
  type FormVerdict,
  formOf,
  type Verdict,
  type VerdictCounts,
  verdictOf,
  verdictSchema,
} from "#contract";
import classes from "./verdict-badge.module.css";

export interface VerdictLook {
  readonly word: string;
  /** Its colour, never shown without the word or the icon. */
  readonly tone: "bad" | "missing" | "good" | "open";
}

const looks: Record<Verdict, VerdictLook> = {
  contradicted: { word: "Contradicted", tone: "bad" },
  not_found: { word: "Not in the document", tone: "missing" },
  supported: { word: "Supported", tone: "good" },
  not_checkable: { word: "Not checkable", tone: "open" },
};

/** The word for people, and the tone of a verdict. */
export function lookOfVerdict(verdict: Verdict): VerdictLook {
  return looks[verdict];
}

const icons: Record<Verdict, typeof IconCircleCheck> = {
  contradicted: IconCircleX,
  not_found: IconSearchOff,
  supported: IconCircleCheck,
  not_checkable: IconCircleDashed,
};

export interface VerdictBadgeProps {
  readonly verdict: Verdict;
  /** Of the icon, in pixels; the word takes the size of the text around it. */
  readonly size?: number;
  /** Shows the icon alone, and leaves the word to screen readers. */
  readonly isIcon?: boolean;
}

/** A verdict: icon and word. */
export function VerdictBadge({ verdict, ...props }: VerdictBadgeProps) {
  return <ToneBadge {...looks[verdict]} icon={icons[verdict]} {...props} />;
}

const formLooks: Record<FormVerdict, VerdictLook & { readonly icon: typeof IconCircleCheck }> = {
  broken: { word: "Form broken", tone: "bad", icon: IconFileX },
  kept: { word: "Form kept", tone: "good", icon: IconFileCheck },
};

const agreementLooks: Record<Agreement, VerdictLook & { readonly icon: typeof IconCircleCheck }> = {
  disagree: { word: "Judges disagree", tone: "missing", icon: IconArrowsSplit },
  agree: { word: "Judges agree", tone: "good", icon: IconArrowsJoin },
};

export function lookOfAgreement(agreement: Agreement): VerdictLook {
  return agreementLooks[agreement];
}

/** The word for people, and the tone, of the form of a response. */
export function lookOfForm(form: FormVerdict): VerdictLook {
  return formLooks[form];
}

export interface FormBadgeProps extends Omit<VerdictBadgeProps, "verdict"> {
  readonly form: FormVerdict;
}

/** Whether a response has the form that its prompt asks for: icon and word. */
export function FormBadge({ form, ...props }: FormBadgeProps) {
  return <ToneBadge {...formLooks[form]} {...props} />;
}

export interface CountsBadgeProps extends Pick<VerdictBadgeProps, "size" | "isIcon"> {
  readonly verdict: Verdict;
  /** Its claims by verdict; null shows the word of the verdict. */
  readonly claims: VerdictCounts | null;
  readonly form?: FormVerdict | null;
}

/** What a response came to, as everywhere: the icon of its verdict, and how many of its claims have which. */
export function CountsBadge({ verdict, claims, form = null, ...props }: CountsBadgeProps) {
  const isBroken = form === "broken";
  const look = isBroken && verdict !== "contradicted" ? formLooks.broken : { ...looks[verdict], icon: icons[verdict] };
  const counts = claims === null ? "" : describeVerdictCounts(claims);
  const words = [isBroken ? "form broken" : "", counts].filter(Boolean).join(" · ");
  return <ToneBadge {...look} word={words === "" ? looks[verdict].word : words} {...props} />;
}

/** Whether rules and model agree about a response: icon and word. */
export function AgreementBadge({
  agreement,
  ...props
}: { readonly agreement: Agreement } & Pick<VerdictBadgeProps, "size">) {
  return <ToneBadge {...agreementLooks[agreement]} {...props} />;
}

/** What a response came to: how many of its claims have which verdict, and its form. */
export function ResponseCounts({ counts, size }: { readonly counts: ClaimCounts; readonly size?: number }) {
  const given = size === undefined ? {} : { size };
  const form = formOf(counts);
  const found = verdictSchema.options.filter((verdict) => counts[verdict] > 0);
  return (
    <>
      {found.map((verdict) => (
        <ToneBadge
          key={verdict}
          {...looks[verdict]}
          icon={icons[verdict]}
          word={describeVerdictCounts({ ...noClaims, [verdict]: counts[verdict] })}
          {...given}
        />
      ))}
      {form === null ? null : <FormBadge form={form} {...given} />}
      {found.length === 0 && form === null ? <VerdictBadge verdict={verdictOf(counts)} {...given} /> : null}
    </>
  );
}

const noClaims = countVerdicts(() => 0);

/** The same for screen readers. */
export function announceVerdict(counts: ClaimCounts): string {
  return describeClaimCounts(counts) || looks[verdictOf(counts)].word;
}

export interface ToneBadgeProps extends VerdictLook, Omit<VerdictBadgeProps, "verdict"> {
  readonly icon: typeof IconCircleCheck;
}

/** An icon and a word in the colour of what they mean. */
export function ToneBadge({ word, tone, icon: Icon, size = 16, isIcon = false }: ToneBadgeProps) {
  return (
    <span className={classes.root} data-tone={tone} title={word}>
      <Icon
        size={size}
        stroke={1.8}
        className={classes.icon}
        {...(isIcon ? { role: "img", "aria-label": word } : { "aria-hidden": true })}
      />
      {isIcon ? null : <span className={classes.word}>{word}</span>}
    </span>
  );
}
