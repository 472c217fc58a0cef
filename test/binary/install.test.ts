import { afterAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../package.json'
import { binary } from '../../scripts/build.ts'
import { describeConfig } from '../../src/config/index.ts'
import { root } from '../support/source-files.ts'
import { cleanUp, cork, createFolder, runCommand } from './cork.ts'

afterAll(cleanUp)

const text = readFileSync(join(root, 'docs/install.md'), 'utf8')
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    ([, block]) => block!,
  )
const unit = blocks('ini')[0]!
const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''

/** The environment variables of Corkboard that a text names. */
const variables = (from: string) => [
  ...new Set(from.match(/\b(CORK_[A-Z_]+|DATABASE_URL)\b/g) ?? []),
]

test('the installation guide names only settings and flags that exist', async () => {
  const knownSettings = describeConfig({}).map(({ name }) => name)
  expect(variables(text).length).toBeGreaterThan(5)
  const unknown = variables(text).filter((name) => !knownSettings.includes(name))
  // Variables of the install script and of the compose files.
  expect(unknown.sort()).toEqual(['CORK_IMAGE', 'CORK_INSTALL_DIR'])
  const { out } = await cork(['serve', '--help'])
  const flags = settingOf('ExecStart').match(/--[\w-]+/g) ?? []
  expect(flags).toContain('--data')
  expect(flags.filter((flag) => !out.includes(`  ${flag} `))).toEqual([])
})

test('the installation guide names the current version in every download', () => {
  const versions = [...text.matchAll(/cork-(\d+\.\d+\.\d+)-/g)].map(([, one]) => one)
  expect(versions.length).toBeGreaterThan(3)
  expect(new Set(versions)).toEqual(new Set([version]))
})

test('the systemd service stores data in a writable folder and waits for the server to stop', () => {
  expect(settingOf('ExecStart')).toContain(` --data /var/lib/${settingOf('StateDirectory')} `)
  expect(settingOf('ProtectSystem')).toBe('strict')
  expect(Number(settingOf('TimeoutStopSec'))).toBeGreaterThan(10)
})

test.skipIf(!Bun.which('systemd-analyze'))(
  'systemd-analyze accepts the service file and rejects an invalid one',
  async () => {
    const path = join(createFolder(), 'corkboard.service')
    const verify = () => runCommand(['systemd-analyze', 'verify', '--man=no', path])
    writeFileSync(path, unit.replace('Restart=on-failure', 'Restart=on-whim'))
    expect((await verify()).err).toContain('on-whim')
    // The account and the executable of the guide exist only after an installation.
    writeFileSync(
      path,
      unit.replace('/usr/local/bin/cork', binary).replace('=corkboard\n', '=daemon\n'),
    )
    const { err, code } = await verify()
    expect([err, code]).toEqual(['', 0])
  },
)

test('the container runs serve as its own user, exposes the port and has a data volume', () => {
  const [container] = blocks('dockerfile')
  expect(container).toContain('ENTRYPOINT ["cork"]\nCMD ["serve"]')
  expect(container).toMatch(/^USER corkboard$/m)
  const [port] = /CORK_PORT=(\d+)/.exec(container!)!.slice(1)
  expect(container).toContain(`EXPOSE ${port}`)
  const [data] = /CORK_DATA=(\S+)/.exec(container!)!.slice(1)
  expect(container).toContain(`VOLUME ${data}\n`)
})
