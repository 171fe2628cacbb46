/** The name of the product with its logo, and the link past the navigation: at the top of every page. */

/** A podium: three steps, the middle one the highest. */
const Logo = () => (
  <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
    <path d="M1 13h7v10H1z" fill="var(--silver)" />
    <path d="M8.500 5h7v18h-7z" fill="var(--gold)" />
    <path d="M16 17h7v6h-7z" fill="var(--bronze)" />
  </svg>
);

export const Brand = ({ href }: { readonly href: string }) => (
  <a className="brand" href={href}>
    <Logo /> Podium
  </a>
);

/** Visible only while it has the focus. */
export const SkipLink = () => (
  <a className="skip" href="#main">
    Skip to the content
  </a>
);
