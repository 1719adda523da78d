/** The mark: a bound sheaf of wheat. */
export function BrandMark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden focusable="false">
      <g fill="none" stroke="var(--accent)" strokeWidth="1.7" strokeLinecap="round">
        <path d="M12 22V9" />
        <path d="M12 15c-2.5-2-5.5-4-6.5-9" />
        <path d="M12 15c2.5-2 5.5-4 6.5-9" />
        <path d="M8 22c.5-3 2-5.5 4-7 2 1.5 3.5 4 4 7" />
        <path d="M12 9c-1.6-1.7-1.6-4.3 0-6 1.6 1.7 1.6 4.3 0 6z" fill="var(--accent)" fillOpacity=".25" />
        <path d="M8.5 15.5h7" />
      </g>
    </svg>
  );
}
