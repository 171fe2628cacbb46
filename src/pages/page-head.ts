/** The links to the build in the head of every page, of the public pages and the dashboard. */

/** Paths from the root of the site. */
export interface PageAssets {
  readonly script: string;
  /** Modules that the script imports; preloaded with it. */
  readonly modules: readonly string[];
  readonly styles: readonly string[];
}

/** `scripts`: `needed` when the page shows nothing without them, `later` when its styles should load first. */
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
