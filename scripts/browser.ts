import { existsSync } from 'node:fs'
import { chromium as engine } from 'playwright-core'

/** Where the browser of the browser tests is. */
export const chromium = () => process.env.CORK_CHROMIUM ?? '/usr/bin/chromium'

/** Without its habit of calling home, which a closed network would answer with errors. */
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

/** Installs Debian's Chromium where there is none, as far as this machine lets it. */
export async function ensureBrowser(): Promise<boolean> {
  if (existsSync(chromium())) return true
  if (process.env.CORK_CHROMIUM || process.getuid?.() !== 0 || !Bun.which('apt-get')) return false
  console.log('Installing Chromium for the browser tests')
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = Bun.spawn(['apt-get', '-qq', ...step], { env, stdout: 'ignore', stderr: 'inherit' })
    if ((await apt.exited) !== 0) return false
  }
  return existsSync(chromium())
}

if (import.meta.main && !(await ensureBrowser())) {
  console.error(
    `There is no Chromium at ${chromium()} and it cannot be installed. Name one in CORK_CHROMIUM, or leave the browser tests out with CORK_TEST_SKIP=browser.`,
  )
  process.exit(1)
}
