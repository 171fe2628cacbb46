/** Clients that keep the log store busy with heavy queries until they are stopped. */
import { Agent, request } from 'node:http';

const HEAVY = [
  `select regexp_extract(request.path, r'^/([a-z]+)/') as family, count(*) as n, approx_count_distinct(event_message) as messages
   from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request group by 1 order by 2 desc`,
  `select a.id, b.id from edge_logs as a join edge_logs as b on a.event_message = b.event_message and a.id < b.id limit 100`,
  `select event_message, row_number() over (partition by event_message order by timestamp desc) as r from postgres_logs qualify r > 5`,
  `select * from edge_logs order by length(to_json_string(metadata)) desc limit 50`,
];

const ask = ({ port, token, project, agent }, sql) =>
  new Promise((resolve, reject) => {
    const query = new URLSearchParams({ project, sql });
    const headers = { 'x-api-key': token, 'content-type': 'application/json; charset=utf-8' };
    const path = `/api/endpoints/query/logs.all?${query}`;
    const sent = request({ port, host: '127.0.0.1', path, headers, agent }, (reply) => {
      reply.resume();
      reply.on('end', () => resolve(reply.statusCode));
    });
    sent.on('error', reject);
    sent.end();
  });

process.once('message', ({ port, token, project, clients }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const counts = {};
  const client = async (number) => {
    for (let turn = number; ; turn += 1) {
      const status = await ask({ port, token, project, agent }, HEAVY[turn % HEAVY.length]);
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  for (let number = 0; number < clients; number += 1) client(number).catch(() => process.exit(1));
  process.send({ running: true });
  process.on('message', () => process.send({ counts }));
});
