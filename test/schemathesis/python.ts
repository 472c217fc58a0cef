import { join } from 'node:path'
import { runCommand } from '../binary/cork.ts'

const REQUIREMENTS = join(import.meta.dir, 'requirements.txt')

/** Installs Schemathesis into a folder of its own and returns the path of its command. */
export async function installSchemathesis(folder: string): Promise<string> {
  const python = Bun.which('python3')
  if (!python)
    throw new Error(
      'This part needs python3. Install it, or leave the part out with CORK_TEST_SKIP=schemathesis',
    )
  const venv = join(folder, 'venv')
  await runOrThrow([python, '-m', 'venv', venv])
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
  await runOrThrow([join(venv, 'bin/python'), ...pip, '--no-deps', '--requirement', REQUIREMENTS])
  return join(venv, 'bin/schemathesis')
}

async function runOrThrow(command: string[]): Promise<void> {
  // pip reads its package index from the environment.
  const { code, out, err } = await runCommand(command, {
    env: process.env as Record<string, string>,
  })
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${err || out}`)
}
