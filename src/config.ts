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

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

export function readConfig(
  env: Record<string, string | undefined>,
  flags: Record<string, string | undefined> = {},
): Config {
  const said = (flag: string, name: string, otherwise: string) =>
    flags[flag] === undefined
      ? { name, text: env[name] || otherwise }
      : { name: `--${flag}`, text: flags[flag] }
  const rate = (name: string, otherwise: string) =>
    whole({ name, text: env[name] || otherwise }, 1e9)
  return {
    data: filled(said('data', 'CORK_DATA', './data')),
    host: filled(said('host', 'CORK_HOST', '127.0.0.1')),
    port: whole(said('port', 'CORK_PORT', '3210'), 65_535),
    url: address(env.CORK_URL ?? ''),
    rateBase: rate('CORK_RATE_LIMIT_BASE', '120'),
    rateAgent: rate('CORK_RATE_LIMIT_AGENT', '600'),
    logLevel: level(env.CORK_LOG_LEVEL || 'info'),
  }
}

interface Said {
  name: string
  text: string
}

function filled({ name, text }: Said): string {
  if (!text.trim()) throw new BadConfig(`${name} must not be empty`)
  return text
}

function whole({ name, text }: Said, most: number): number {
  if (!/^\d+$/.test(text) || Number(text) > most)
    throw new BadConfig(`${name} must be a whole number from 0 to ${most}, not "${text}"`)
  return Number(text)
}

function address(text: string): string {
  const url = URL.parse(text)
  const plain = url && /^https?:$/.test(url.protocol) && url.href.startsWith(url.origin)
  if (text && (!plain || url.search || url.hash || url.pathname !== '/'))
    throw new BadConfig(
      `CORK_URL must be an address like https://board.example.com, without a path, not "${text}"`,
    )
  return url?.origin ?? ''
}

function level(text: string): string {
  if (!LEVELS.includes(text))
    throw new BadConfig(`CORK_LOG_LEVEL must be one of ${LEVELS.join(', ')}, not "${text}"`)
  return text
}
