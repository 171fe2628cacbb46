/** What of the build stands in the head of every page, the public ones and the dashboard's. */

/** Paths from the root of the site. */
export interface PageAssets {
  readonly script: string;
  /** Parts that the script needs: asked for at once, not when it has come. */
  readonly modules: readonly string[];
  readonly styles: readonly string[];
}

export const assetLinks = ({ script, modules, styles }: PageAssets): string =>
  [
    '<link rel="icon" href="/static/icon.svg" type="image/svg+xml">',
    ...styles.map((href) => `<link rel="stylesheet" href="${href}">`),
    ...modules.map((href) => `<link rel="modulepreload" href="${href}">`),
    `<script type="module" src="${script}"></script>`,
  ].join('');
