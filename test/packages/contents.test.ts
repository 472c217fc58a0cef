import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../package.json'
import { cleanUp, createFolder } from '../binary/cork.ts'
import { buildRelease, run } from './release.ts'

afterAll(cleanUp)

/** The files of each package and their modes. */
const MODES = {
  'etc/corkboard.env': 0o600,
  'usr/bin/cork': 0o755,
  'usr/lib/systemd/system/corkboard.service': 0o644,
  'usr/share/bash-completion/completions/cork': 0o644,
  'usr/share/doc/corkboard/copyright': 0o644,
  'usr/share/fish/vendor_completions.d/cork.fish': 0o644,
  'usr/share/man/man1/cork.1': 0o644,
  'usr/share/zsh/vendor-completions/_cork': 0o644,
}

const UNPACK = {
  rpm: 'rpm2cpio "$1" | cpio -id --no-absolute-filenames --quiet --directory "$2"',
  apk: 'tar --extract --gzip --warning=no-unknown-keyword --file "$1" --directory "$2"',
}

for (const [format, target] of [
  ['rpm', 'linux-x64'],
  ['apk', 'linux-x64-musl'],
] as const)
  test(`the ${format} contains the executable, its service, settings and manual`, async () => {
    if (!Bun.which('rpm2cpio')) await run(['apt-get', 'install', '--yes', 'rpm2cpio', 'cpio'])
    const folder = await buildRelease('http://127.0.0.1/', target)
    const root = join(createFolder(), format)
    mkdirSync(root)
    const file = join(folder, `corkboard_${version}_amd64.${format}`)
    await run(['sh', '-ec', UNPACK[format], 'sh', file, root])
    const names = [...new Bun.Glob('{etc,usr,var,lib}/**').scanSync({ cwd: root, dot: true })]
    expect(names.sort()).toEqual(Object.keys(MODES))
    for (const [name, mode] of Object.entries(MODES))
      expect([name, statSync(join(root, name)).mode & 0o777]).toEqual([name, mode])
    const executable = join(folder, `cork-${version}-${target}`)
    expect(Bun.hash(readFileSync(join(root, 'usr/bin/cork')))).toBe(
      Bun.hash(readFileSync(executable)),
    )
    if (format === 'rpm')
      expect((await run([join(root, 'usr/bin/cork'), '--version'])).trim()).toBe(version)
    else {
      expect(readFileSync(join(root, '.PKGINFO'), 'utf8')).toContain('depend = libstdc++')
      const [time, scriptTime] = ['usr/bin/cork', '.post-install'].map(
        (name) => statSync(join(root, name)).mtimeMs,
      )
      // Otherwise two checkouts of the same commit would make different packages.
      expect(scriptTime).toBe(time)
    }
    expect(await verifyService(root)).toBe('')
  }, 600_000)

/** What systemd finds wrong with the service, or nothing if this machine has no systemd. */
async function verifyService(root: string): Promise<string> {
  if (!Bun.which('systemd-analyze')) return ''
  // Without the units of the machine, systemd would miss those that the service waits for.
  const service = join(root, 'usr/lib/systemd/system/corkboard.service')
  const text = readFileSync(service, 'utf8').replaceAll('/usr/bin/cork', join(root, 'usr/bin/cork'))
  await Bun.write(join(root, 'corkboard.service'), text)
  return run(['systemd-analyze', 'verify', '--man=no', join(root, 'corkboard.service')])
}
