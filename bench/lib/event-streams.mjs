/** Streams of server-sent events over raw sockets. */
import { connect } from 'node:net';

/** Opens one stream. `onBytes` is called with all received bytes. */
export const openStream = ({ port, path, token }, onBytes) =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    socket.once('error', reject);
    socket.once('data', (first) => {
      if (!first.latin1Slice(0, 15).includes(' 200')) reject(new Error(first.latin1Slice(0, 200)));
      resolve(socket);
    });
    socket.on('data', onBytes);
    const key = token === undefined ? '' : `x-api-key: ${token}\r\n`;
    socket.write(`GET ${path} HTTP/1.1\r\nhost: bench\r\n${key}accept: text/event-stream\r\n\r\n`);
  });
