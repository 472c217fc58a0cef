import { freePort } from '../proxy/proxies.ts'

/** How a reverse proxy forwards requests for a path: with the path, or without it. */
export type PathProxyKind = 'keeps' | 'strips'

/** A proxy that serves installations below paths of one host. */
export function startPathProxy(kind: PathProxyKind, paths: readonly string[]) {
  let forwardsMetadata = true
  const upstreams = new Map(paths.map((path) => [path, String(freePort())]))
  const proxy = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const isBelow = (path: string) => `${pathname}/`.startsWith(`${path}/`)
      const isWellKnown = (path: string) =>
        forwardsMetadata &&
        pathname.startsWith('/.well-known/') &&
        `${pathname}/`.includes(`${path}/`)
      const base = paths.find((path) => isBelow(path) || isWellKnown(path))
      if (!base) return new Response('The proxy has no such path', { status: 404 })
      const path =
        kind === 'strips' && isBelow(base) ? pathname.slice(base.length) || '/' : pathname
      return fetch(`http://127.0.0.1:${upstreams.get(base)}${path}${search}`, {
        ...{ method: request.method, headers: request.headers, body: request.body },
        ...{ redirect: 'manual', decompress: false, signal: request.signal },
      }).catch(() => new Response('No server answers', { status: 502 }))
    },
  })
  return {
    origin: `http://127.0.0.1:${proxy.port}`,
    /** The environment and arguments of the server for a path. */
    serverFor: (path: string) => ({
      env: { CORK_URL: `http://127.0.0.1:${proxy.port}${path}` },
      args: ['--port', upstreams.get(path)!],
    }),
    forwardNoMetadata: () => {
      forwardsMetadata = false
    },
    stop: () => proxy.stop(true),
  }
}
