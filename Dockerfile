# Nothing is compiled: native packages come with binaries (src/engines/sqlite/sqlite.ts says which better-sqlite3 runs here).
FROM node:22.20.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --ignore-scripts
COPY . .
RUN npx nest build && npx vite build web && npx vite build web --ssr && npm prune --omit=dev --ignore-scripts

FROM node:22.20.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 PODIUM_DATA=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/web/dist ./web/dist
COPY --from=build /app/examples ./examples
RUN mkdir /data && chown node:node /data \
  && printf '#!/bin/sh\nexec node /app/dist/app/podium.js "$@"\n' > /usr/local/bin/podium \
  && chmod +x /usr/local/bin/podium
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/healthcheck`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/app/main.js"]
