/** Shown while content loads. The style sheet delays it, so that fast replies do not flicker. */
export const Loading = () => (
  <p className="loading" role="status">
    Loading…
  </p>
);
