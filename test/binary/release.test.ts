import { afterAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../package.json'
import { root } from '../tidy/files.ts'
import { ended, folder, sweep } from './cork.ts'

afterAll(sweep)

const { platform, arch } = process
const own = `${platform === 'win32' ? 'windows' : platform}-${arch}`
const name = `cork-${version}-${own}${platform === 'win32' ? '.exe' : ''}`
const release = (...args: string[]) =>
  ended([process.execPath, join(root, 'scripts/release.ts'), ...args])

test('a release has its name and checksum, runs, and is identical when built again', async () => {
  const to = join(folder(), 'release')
  const sums: string[] = []
  for (let time = 0; time < 2; time++) {
    const { out, err, code } = await release('--only', own, '--to', to)
    expect([err, code]).toEqual(['', 0])
    expect(out).toContain(`1 verified, ${name} runs`)
    expect(readdirSync(to).toSorted()).toEqual(['SHA256SUMS', name])
    // The same command as in the installation guide.
    const check = `cd ${to} && sha256sum --check --ignore-missing SHA256SUMS`
    expect((await ended(['sh', '-c', check])).out).toBe(`${name}: OK\n`)
    sums.push(readFileSync(join(to, 'SHA256SUMS'), 'utf8'))
    rmSync(join(to, name))
  }
  expect(sums[0]).toMatch(new RegExp(`^[0-9a-f]{64}  ${name}\n$`))
  expect(sums[1]).toBe(sums[0]!)
})

test('an unknown release target is refused with the known ones, a blocked folder with the error', async () => {
  const unknown = await release('--only', 'amiga')
  expect(unknown.code).toBe(1)
  expect(unknown.err).toContain('no target "amiga"; there are linux-x64, linux-arm64')
  const to = join(folder(), 'file')
  writeFileSync(to, '')
  const blocked = await release('--only', own, '--to', to)
  expect([blocked.code, blocked.err]).toEqual([1, expect.stringContaining('EEXIST')])
})
