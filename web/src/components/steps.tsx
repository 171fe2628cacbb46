/** Three steps, the middle one the highest. */
export const Steps = () => (
  <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
    <path d="M1 13h7v10H1z" fill="var(--silver)" />
    <path d="M8.500 5h7v18h-7z" fill="var(--gold)" />
    <path d="M16 17h7v6h-7z" fill="var(--bronze)" />
  </svg>
);
