/**
 * One minimal HTTP/1.1 keep-alive connection. It parses only the status, the content length and, if wanted, the
 * body. The load generator must not limit a figure, so all connections share one read buffer and requests
 * allocate almost nothing.
 */
import { connect } from 'node:net';

const SHARED = Buffer.allocUnsafe(256 * 1024);
const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /\r\ncontent-length: (\d+)/i;

/**
 * `onReply(status, body)` is called once for each request; `body` is null unless `wantBody`.
 * @param {{port: number, wantBody?: boolean, onReply: (status: number, body: Buffer | null) => void, onError: (error: Error) => void}} options
 */
export const openConnection = ({ port, wantBody = false, onReply, onError }) => {
  let head = null;
  let missing = 0;
  let status = 0;
  let parts = [];

  const receive = (chunk) => {
    let rest = chunk;
    while (rest.length > 0) {
      if (missing === 0) {
        const bytes = head === null ? rest : Buffer.concat([head, rest]);
        const end = bytes.indexOf(HEAD_END);
        if (end < 0) {
          head = Buffer.from(bytes);
          return;
        }
        head = null;
        const text = bytes.latin1Slice(0, end);
        status = Number(text.slice(9, 12));
        const length = LENGTH.exec(text);
        if (length === null && status !== 304) throw new Error(`a reply without content-length:\n${text}`);
        missing = length === null ? 0 : Number(length[1]);
        rest = bytes.subarray(end + 4);
        if (missing === 0) onReply(status, null);
        if (missing === 0) continue;
      }
      const taken = Math.min(missing, rest.length);
      if (wantBody) parts.push(Buffer.from(rest.subarray(0, taken)));
      missing -= taken;
      rest = rest.subarray(taken);
      if (missing === 0) {
        const body = wantBody ? Buffer.concat(parts) : null;
        parts = [];
        onReply(status, body);
      }
    }
  };

  const socket = connect({
    host: '127.0.0.1',
    port,
    noDelay: true,
    onread: {
      buffer: SHARED,
      callback: (bytes) => {
        receive(SHARED.subarray(0, bytes));
        return true;
      },
    },
  });
  socket.on('error', onError);
  return socket;
};
