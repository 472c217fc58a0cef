import { afterAll, expect, test } from 'bun:test'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { version } from '../../package.json'
import { cleanUp, createFolder } from '../binary/cork.ts'
import { buildRelease, run } from './release.ts'

afterAll(cleanUp)

/** A minimal Debian in a folder, which is not the machine's. */
async function debian(): Promise<string> {
  if (!Bun.which('debootstrap')) await run(['apt-get', 'install', '--yes', 'debootstrap'])
  const root = process.env.CORK_TEST_DEBIAN ?? join(createFolder(), 'debian')
  if (!existsSync(join(root, 'var/lib/dpkg'))) {
    mkdirSync(root, { recursive: true })
    await run(['debootstrap', '--variant=minbase', 'bookworm', root])
  }
  return root
}

const PATHS = '/usr/sbin:/usr/bin:/sbin:/bin'
/** The executable needs /proc and /dev, as on every machine. */
const INSIDE = `
mount -t proc proc "$1/proc"
mount --bind /dev "$1/dev"
exec chroot "$@"`

test('the Debian package can be installed, upgraded, removed and purged', async () => {
  const [root, folder] = [await debian(), await buildRelease('http://127.0.0.1/')]
  copyFileSync(join(folder, `corkboard_${version}_amd64.deb`), join(root, 'corkboard.deb'))
  const inside = (...command: string[]) =>
    run(['unshare', '--mount', 'sh', '-ec', INSIDE, 'sh', root, ...command], { PATH: PATHS })
  const path = (name: string) => join(root, name)

  await inside('dpkg', '--install', '/corkboard.deb')
  expect((await inside('cork', '--version')).trim()).toBe(version)
  expect(await inside('getent', 'passwd', 'corkboard')).toContain('/var/lib/corkboard')
  expect(statSync(path('var/lib/corkboard')).mode & 0o777).toBe(0o700)
  expect(statSync(path('etc/corkboard.env')).mode & 0o777).toBe(0o600)
  const as = ['setpriv', '--reuid=corkboard', '--regid=corkboard', '--clear-groups']
  const init = ['--email', 'ada@example.com', '--name', 'Ada', '--team', 'Harbour', '--json']
  await inside(...as, 'cork', 'init', ...init, '--data', '/var/lib/corkboard')

  appendFileSync(path('etc/corkboard.env'), 'CORK_LOG_LEVEL=debug\n')
  await inside('dpkg', '--install', '/corkboard.deb')
  expect(readFileSync(path('etc/corkboard.env'), 'utf8')).toContain('CORK_LOG_LEVEL=debug')
  const people = await inside(...as, 'cork', 'user', 'list', '--data', '/var/lib/corkboard')
  expect(people).toContain('ada@example.com')

  await inside('dpkg', '--remove', 'corkboard')
  expect(existsSync(path('usr/bin/cork'))).toBe(false)
  expect(existsSync(path('var/lib/corkboard/corkboard.db'))).toBe(true)
  await inside('dpkg', '--purge', 'corkboard')
  expect(existsSync(path('var/lib/corkboard'))).toBe(false)
}, 900_000)
