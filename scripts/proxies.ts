import { aptInstall } from './apt.ts'

/** The reverse proxies for the proxy tests. Their packages have the same names. */
const PROXIES = ['nginx', 'caddy']

/** Debian installs some of them in folders that are only in root's PATH. */
const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin`

export const proxy = (name: string) => Bun.which(name, { PATH })

/** Installs missing proxies. A test fails if its proxy is still missing. */
export async function ensureProxies(): Promise<boolean> {
  const missing = PROXIES.filter((name) => !proxy(name))
  return !missing.length || aptInstall(...missing)
}
