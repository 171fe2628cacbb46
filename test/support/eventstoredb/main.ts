/**
 * The test server as a process of its own, which can be killed and started again on the same file and port, and which a
 * whole server or a bench can be pointed at: `node --import ./test/support/typescript-loader.mjs
 * test/support/eventstoredb/main.ts FILE [PORT]`. Says where it listens as one line of JSON, and ends with SIGTERM.
 */
import { EsdbTestServer } from './test-server.js';

const [file, port] = process.argv.slice(2);
if (file === undefined) throw new Error('which file holds the records?');

const server = await EsdbTestServer.start({ file, ...(port !== undefined && { port: Number(port) }) });
process.stdout.write(`${JSON.stringify({ url: server.url, port: server.port })}\n`);
process.once('SIGTERM', () => void server.stop());
