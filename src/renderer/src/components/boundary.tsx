import { Component, type ReactNode } from "react";
import { ErrorCard } from "./error-card.tsx";

export interface BoundaryProps {
  /** What can't be shown then: "The line could not be shown". */
  readonly title: string;
  /** What is shown: when it changes, it is drawn anew. Else that happens whenever the parent is drawn. */
  readonly of?: unknown;
  /** Shown instead of a card with the failure. */
  readonly instead?: ReactNode;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly failure: { readonly error: unknown; readonly of: unknown } | null;
}

/** Keeps a failure while something is drawn from taking the page with it. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failure: null };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { failure: { error, of: undefined } };
  }

  static getDerivedStateFromProps(
    { children, of = children }: BoundaryProps,
    { failure }: BoundaryState,
  ): BoundaryState | null {
    if (failure === null) return null;
    if (failure.of === undefined) return { failure: { ...failure, of: of ?? null } };
    return failure.of === (of ?? null) ? null : { failure: null };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    const { title, instead, children } = this.props;
    if (failure === null) return children;
    if (instead !== undefined) return instead;
    const { error } = failure;
    return (
      <ErrorCard
        title={title}
        message="Something in the page went wrong. No stored data is lost. Try again, or copy the details for a report."
        details={error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ""}` : String(error)}
        onRetry={() => this.setState({ failure: null })}
      />
    );
  }
}
