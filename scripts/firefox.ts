import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { firefox as engine } from 'playwright-core'
import { aptInstall } from './apt.ts'

/** Debian has the release with long support, Ubuntu the newest one. */
const PATHS = ['/usr/bin/firefox-esr', '/usr/bin/firefox']
const root = join(import.meta.dir, '..')

/** The path of Firefox for test/firefox, which is that of a stock release. */
const firefox = () =>
  process.env.CORK_FIREFOX ?? PATHS.find((path) => existsSync(path)) ?? PATHS[0]!

/** Opens Firefox. Its theme is that of the whole browser. */
export const openFirefox = (theme: 'light' | 'dark' = 'light') =>
  engine.launch({
    channel: 'moz-firefox',
    executablePath: join(root, 'test/firefox/relay.ts'),
    firefoxUserPrefs: { 'ui.systemUsesDarkTheme': theme === 'dark' ? 1 : 0 },
    env: {
      ...process.env,
      CORK_FIREFOX: firefox(),
      PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
    },
  })

/** Installs Firefox if there is none. Returns false if this machine does not allow it. */
export const ensureFirefox = async () => existsSync(firefox()) || aptInstall('firefox-esr')
