import type { AnyElysia } from 'elysia'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { Unusable } from '../store/unusable.ts'
import { plainAddress, trustedProxies } from '../surfaces/client-address.ts'

export function listen(app: AnyElysia, config: Config) {
  const { host, port } = config
  try {
    // Elysia would let a second server share the port, and each would answer half the requests.
    app.listen({ hostname: host, port, reusePort: false })
  } catch (error) {
    const taken = (error as { code?: string }).code === 'EADDRINUSE'
    throw new Unusable(
      taken
        ? `Port ${port} on ${host} is in use by another program. Stop that, or choose another with --port or CORK_PORT (0 picks a free one).`
        : `Cannot listen on ${host}, port ${port}: ${(error as Error).message}. Choose another with --host and --port.`,
    )
  }
  // Whoever was given this address finds the server there after a restore too.
  config.port = app.server!.port!
  config.url ||= `http://${reachable(host)}:${app.server!.port}`
}

const LOOPBACK = trustedProxies('loopback')

/** Passwords and keys would cross a network in the clear. */
export function warnOfPlainHttp({ host, url }: Config, log: Logger) {
  if (host === 'localhost' || LOOPBACK.has(plainAddress(host)) || url.startsWith('https:')) return
  log.warn(
    { host },
    'listening on a public interface without HTTPS. Put a proxy with TLS in front and set CORK_URL to its https address, or listen on 127.0.0.1',
  )
}

/** An address that listens everywhere is reached here at the loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
