# The image of the server: docker build -t slipstream .   (deploy/README.md says how to run it)
# For both kinds of machines: docker buildx build --platform linux/amd64,linux/arm64 .

FROM node:24-bookworm AS build
WORKDIR /build
COPY . .
# Installs and builds as `npm start` does, each package with its checksum.
RUN node scripts/run.mjs --lean
# Only what the server needs to run, in one folder, from the same lockfile.
RUN npm exec --yes --package=pnpm@10.34.9 -- pnpm --filter=@slipstream/server --prod --offline --config.inject-workspace-packages=true deploy app
# Sources of SQLite, what the compiler left, and the binaries of other platforms.
RUN cd app/node_modules/.pnpm && rm -rf better-sqlite3@*/node_modules/better-sqlite3/deps better-sqlite3@*/node_modules/better-sqlite3/src && find better-sqlite3@12*/node_modules/better-sqlite3/build -type f ! -path "*/Release/better_sqlite3.node" -delete && find better-sqlite3@13*/node_modules/better-sqlite3/prebuilds -type f ! -name "linux-$(node -p process.arch).node" -delete
RUN mkdir data

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build /build/app .
# A new volume gets the owner of the folder that it covers.
COPY --from=build --chown=node:node /build/data /data
# Bots at Kraken and Coinbase need it: --build-arg CCXT=4.5.84
ARG CCXT
RUN test -z "$CCXT" || npm install --prefix / --no-audit --no-fund --ignore-scripts "ccxt@$CCXT"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=sqlite:/data/slipstream.db
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/slipstream.js"]
CMD ["serve"]
