import { aptInstall } from './apt.ts'

/** The reverse proxies that the proxy tests run; their packages are called the same. */
const PROXIES = ['nginx', 'caddy']

/** Debian keeps some of them where only root looks. */
const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin`

export const proxy = (name: string) => Bun.which(name, { PATH })

/** Installs those that are missing; a test that needs one fails if it still is. */
export async function ensureProxies(): Promise<boolean> {
  const missing = PROXIES.filter((name) => !proxy(name))
  return !missing.length || aptInstall(...missing)
}
