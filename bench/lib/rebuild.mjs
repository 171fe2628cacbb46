/** A rebuild of all read models as `podium replay` does it, in a process of its own. */
import { openPodium } from './podium-core.mjs';

process.once('message', async ({ dataDir, env }) => {
  const podium = await openPodium(dataDir, env);
  await podium.caughtUp();
  const began = performance.now();
  await podium.replay();
  const seconds = (performance.now() - began) / 1000;
  await podium.close();
  process.send({ seconds }, () => process.exit(0));
});
