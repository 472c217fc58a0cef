import type { AnyElysia } from 'elysia'
import type { Logger } from 'pino'
import type { Config } from '../config/index.ts'
import { UnusableError } from '../store/unusable.ts'
import { plainAddress, trustedProxies } from '../surfaces/client-address.ts'

export function listen(app: AnyElysia, config: Config) {
  const { host, port } = config
  try {
    // By default Elysia lets a second server share the port; each would answer half of the
    // requests.
    app.listen({ hostname: host, port, reusePort: false })
  } catch (error) {
    const inUse = (error as { code?: string }).code === 'EADDRINUSE'
    throw new UnusableError(
      inUse
        ? `Port ${port} on ${host} is in use by another program. Stop it, or choose another port with --port or CORK_PORT (0 picks a free one).`
        : `Cannot listen on ${host}, port ${port}: ${(error as Error).message}. Choose another address with --host and --port.`,
    )
  }
  // With port 0 the chosen port is kept, so that the server has the same address after a restore.
  config.port = app.server!.port!
  config.url ||= `http://${reachableHost(host)}:${app.server!.port}`
}

const LOOPBACK = trustedProxies('loopback')

/** Warns of a proxy that CORK_TRUSTED_PROXIES does not name. */
export function warnOfUntrustedProxy(address: string, log: Logger) {
  log.warn(
    { address },
    'a proxy seems to be in front of this server: its forwarding headers are ignored, so all of its clients count as one address. If it is yours, add it to CORK_TRUSTED_PROXIES',
  )
}

/**
 * Warns when the server listens on a network without HTTPS: passwords and keys would travel in the
 * clear.
 */
export function warnOfPlainHttp({ host, url }: Config, log: Logger) {
  if (host === 'localhost' || LOOPBACK.has(plainAddress(host)) || url.startsWith('https:')) return
  log.warn(
    { host },
    'listening on a public interface without HTTPS. Put a proxy with TLS in front and set CORK_URL to its https address, or listen on 127.0.0.1',
  )
}

/**
 * A server that listens on every interface is reached from this machine at the loopback address.
 */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
