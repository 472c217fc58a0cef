import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { binary } from '../../scripts/build.ts'
import { cleanUp, createFolder, initDataFolder, runCommand } from './cork.ts'

const NAME = `cork-9.9.9-${process.platform}-${process.arch}`
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const keyFile = join(createFolder(), 'corkboard.pub')

/** The release that the next test publishes, by file name. */
let files: Record<string, string | Uint8Array<ArrayBuffer>> = {}
let publisher: ReturnType<typeof Bun.serve>
beforeAll(() => {
  writeFileSync(keyFile, publicKey.export({ type: 'spki', format: 'pem' }))
  publisher = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ url }) {
      const file = files[new URL(url).pathname.slice(1)]
      return file === undefined ? new Response('', { status: 404 }) : new Response(file)
    },
  })
})
afterAll(() => {
  publisher.stop(true)
  cleanUp()
})

function publish(program: string) {
  const sums = `${createHash('sha256').update(program).digest('hex')}  ${NAME}\n`
  const signature = new Uint8Array(sign(null, Buffer.from(sums), privateKey))
  files = { [NAME]: program, SHA256SUMS: sums, 'SHA256SUMS.sig': signature }
}

/** A program that says that it is 9.9.9. `serve` runs the given line. */
const newVersion = (serve: string) => `#!/bin/sh
if [ "$1" = --version ]; then echo 9.9.9; exit; fi
${serve}
`

/** Ada's server is stopped; its data and an executable of its own are in two folders. */
async function installation() {
  const { data } = await initDataFolder()
  const executable = join(createFolder(), 'cork')
  copyFileSync(binary, executable)
  chmodSync(executable, 0o755)
  const upgrade = () =>
    runCommand([
      ...[executable, 'upgrade', '--from', publisher.url.href, '--key', keyFile],
      ...['--data', data],
    ])
  const people = async () =>
    (await runCommand([executable, 'user', 'list', '--data', data, '--json'])).out
  const isOld = () => readFileSync(executable).equals(readFileSync(binary))
  return { data, executable, upgrade, people, isOld }
}

test('a verified new version replaces the executable after its server was ready once', async () => {
  const { executable, upgrade } = await installation()
  publish(newVersion(`exec ${binary} "$@"`))
  const { out, err, code } = await upgrade()
  expect([err, code, out.trim()]).toEqual([
    '',
    0,
    expect.stringContaining('cork 9.9.9 is installed'),
  ])
  expect((await runCommand([executable, '--version'])).out.trim()).toBe('9.9.9')
  expect(existsSync(`${executable}.previous`)).toBe(true)
})

test('a new version that damages the data and fails is undone, with the data', async () => {
  const { upgrade, people, isOld, data } = await installation()
  const before = await people()
  publish(newVersion(`echo damaged > ${data}/corkboard.db; echo 'no such thing' >&2; exit 1`))
  const { err, code } = await upgrade()
  expect([err, code]).toEqual([expect.stringContaining('the data of before are back'), 1])
  expect(err).toContain('no such thing')
  expect([isOld(), await people()]).toEqual([true, before])
})

test('a release with a wrong signature or checksum changes nothing', async () => {
  const { upgrade, isOld } = await installation()
  publish(newVersion('exit 1'))
  files[NAME] = newVersion('exit 2')
  expect((await upgrade()).err).toContain('has a wrong checksum. Nothing was changed.')
  files['SHA256SUMS.sig'] = new Uint8Array(64)
  expect((await upgrade()).err).toContain('does not belong to')
  expect(isOld()).toBe(true)
})

test('an upgrade is refused while a server runs, because its writes could not be undone', async () => {
  const { upgrade, executable, data, isOld } = await installation()
  publish(newVersion('exit 1'))
  const server = Bun.spawn([executable, 'serve', '--data', data, '--port', '0'], {
    stdout: 'pipe',
    stderr: 'ignore',
  })
  await server.stdout.getReader().read()
  expect((await upgrade()).err).toContain('Stop it first')
  expect(isOld()).toBe(true)
  server.kill()
  await server.exited
})
