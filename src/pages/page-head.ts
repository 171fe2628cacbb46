/** What of the build stands in the head of every page, the public ones and the dashboard's. */

/** Paths from the root of the site. */
export interface PageAssets {
  readonly script: string;
  /** Parts that the script needs: asked for at once, not when it has come. */
  readonly modules: readonly string[];
  readonly styles: readonly string[];
}

/** `scripts`: whether the page shows nothing without them, or has all it shows and leaves the line to its styles first. */
export const assetLinks = (
  { script, modules, styles }: PageAssets,
  scripts: 'needed' | 'later' = 'needed',
): string => {
  const priority = scripts === 'later' ? ' fetchpriority="low"' : '';
  return [
    '<link rel="icon" href="/static/icon.svg" type="image/svg+xml">',
    ...styles.map((href) => `<link rel="stylesheet" href="${href}">`),
    ...modules.map((href) => `<link rel="modulepreload" href="${href}"${priority}>`),
    `<script type="module" src="${script}"${priority}></script>`,
  ].join('');
};
