/** One request with node:http, with the headers and the bytes of the reply as they came. */
import { request } from 'node:http';

export const fetchRaw = ({ port, path, method = 'GET', headers = {}, body = '' }) =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
