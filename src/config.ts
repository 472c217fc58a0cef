/** Every setting, read once when the process starts. */
export interface Config {
  data: string
  host: string
  port: number
  /** The public base address; empty until the port is known. */
  url: string
  rateBase: number
  rateAgent: number
  logLevel: string
}

export class BadConfig extends Error {}

export function readConfig(
  env: Record<string, string | undefined>,
  flags: Record<string, string | undefined> = {},
): Config {
  return {
    data: flags.data ?? env.CORK_DATA ?? './data',
    host: flags.host ?? env.CORK_HOST ?? '127.0.0.1',
    port: whole('port', flags.port ?? env.CORK_PORT ?? '3210', 65_535),
    url: (env.CORK_URL ?? '').replace(/\/+$/, ''),
    rateBase: whole('CORK_RATE_LIMIT_BASE', env.CORK_RATE_LIMIT_BASE ?? '120', 1e9),
    rateAgent: whole('CORK_RATE_LIMIT_AGENT', env.CORK_RATE_LIMIT_AGENT ?? '600', 1e9),
    logLevel: env.CORK_LOG_LEVEL ?? 'info',
  }
}

function whole(name: string, text: string, most: number): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0 || value > most)
    throw new BadConfig(`${name} must be a whole number from 0 to ${most}, not "${text}"`)
  return value
}
