import { afterAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../package.json'
import { root } from '../support/source-files.ts'
import { cleanUp, createFolder, runCommand } from './cork.ts'

afterAll(cleanUp)

const { platform, arch } = process
const target = `${platform === 'win32' ? 'windows' : platform}-${arch}`
const name = `cork-${version}-${target}${platform === 'win32' ? '.exe' : ''}`
const release = (...args: string[]) =>
  runCommand([process.execPath, join(root, 'scripts/release.ts'), ...args])

test('a release has its name and checksum, runs, and is identical when built again', async () => {
  const directory = join(createFolder(), 'release')
  const sums: string[] = []
  for (let round = 0; round < 2; round++) {
    const { out, err, code } = await release('--only', target, '--to', directory)
    expect([err, code]).toEqual(['', 0])
    expect(out).toContain(`1 verified, ${name} runs`)
    expect(readdirSync(directory).toSorted()).toEqual(['SHA256SUMS', name])
    // The same command as in the installation guide.
    const check = `cd ${directory} && sha256sum --check --ignore-missing SHA256SUMS`
    expect((await runCommand(['sh', '-c', check])).out).toBe(`${name}: OK\n`)
    sums.push(readFileSync(join(directory, 'SHA256SUMS'), 'utf8'))
    rmSync(join(directory, name))
  }
  expect(sums[0]).toMatch(new RegExp(`^[0-9a-f]{64}  ${name}\n$`))
  expect(sums[1]).toBe(sums[0]!)
})

test('an unknown release target is refused with the known ones, a blocked folder with the error', async () => {
  const unknown = await release('--only', 'amiga')
  expect(unknown.code).toBe(1)
  expect(unknown.err).toContain('no target "amiga"; there are linux-x64, linux-arm64')
  const directory = join(createFolder(), 'file')
  writeFileSync(directory, '')
  const blocked = await release('--only', target, '--to', directory)
  expect([blocked.code, blocked.err]).toEqual([1, expect.stringContaining('EEXIST')])
})
