/** The version of Podium, from package.json. */
import { readFileSync } from 'node:fs';

const read = (): string => {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  );
  const found =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : null;
  return typeof found === 'string' ? found : 'unknown';
};

export const VERSION = read();
