import { existsSync } from 'node:fs'
import { chromium as engine } from 'playwright-core'
import { aptInstall } from './apt.ts'

/** Debian's packages, best first: the shell needs a third less CPU time and has no windows. */
const PACKAGES = ['chromium-headless-shell', 'chromium']
const paths = PACKAGES.map((name) => `/usr/bin/${name}`)

/** The path of the browser for the browser tests. */
export const chromium = () =>
  process.env.CORK_CHROMIUM ?? paths.find((path) => existsSync(path)) ?? paths[0]!

/** Background networking is off, because in a closed network it would cause errors. */
export const openBrowser = () =>
  engine.launch({
    executablePath: chromium(),
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

/** Installs Debian's Chromium if there is none. Returns false if this machine does not allow it. */
export async function ensureBrowser(): Promise<boolean> {
  if (existsSync(chromium())) return true
  if (process.env.CORK_CHROMIUM) return false
  for (const name of PACKAGES) if ((await aptInstall(name)) && existsSync(chromium())) return true
  return false
}

if (import.meta.main && !(await ensureBrowser())) {
  console.error(
    `There is no Chromium at ${chromium()} and it cannot be installed. Name one in CORK_CHROMIUM, or leave the browser tests out with CORK_TEST_SKIP=browser.`,
  )
  process.exit(1)
}
