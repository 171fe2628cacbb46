/** Something is on its way. Shown after a moment only, so that what comes at once does not flicker. */
export const Loading = () => (
  <p className="loading" role="status">
    Loading…
  </p>
);
