import { join } from 'node:path'
import { createFolder, runCommand } from '../binary/cork.ts'
import { root } from '../support/source-files.ts'

export const SCOPE = '@example'

/** Builds a signed release for this machine. Downloads are from `address`. */
export async function buildRelease(address: string, target = 'linux-x64'): Promise<string> {
  const folder = join(createFolder(), 'release')
  const key = join(createFolder(), 'key.pem')
  await run(['openssl', 'genpkey', '-algorithm', 'ed25519', '-out', key])
  await run([
    ...[process.execPath, join(root, 'scripts/release.ts'), '--only', target, '--to', folder],
    ...['--downloads', address, '--npm-scope', SCOPE, '--key', key],
  ])
  return folder
}

/** Runs a command that must succeed. Returns its output. */
export async function run(command: string[], env: Record<string, string> = {}): Promise<string> {
  const { HOME = '/root', PATH = '' } = process.env
  const { out, err, code } = await runCommand(command, { env: { HOME, PATH, ...env } })
  if (code !== 0) throw new Error(`${command.join(' ')} failed: ${err}${out}`)
  return out
}
