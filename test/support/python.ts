import { join } from 'node:path'
import { runCommand } from '../binary/cork.ts'

/** Installs pinned packages into a folder of their own. Returns the path of its commands. */
export async function installPackages(
  folder: string,
  requirements: string,
  part: string,
): Promise<string> {
  const python = Bun.which('python3')
  if (!python)
    throw new Error(
      `This part needs python3. Install it, or leave the part out with CORK_TEST_SKIP=${part}`,
    )
  const venv = join(folder, 'venv')
  await runOrThrow([python, '-m', 'venv', venv])
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
  await runOrThrow([join(venv, 'bin/python'), ...pip, '--no-deps', '--requirement', requirements])
  return join(venv, 'bin')
}

/** Runs a command and returns what it prints. */
export async function runOrThrow(command: string[], input = ''): Promise<string> {
  // pip reads its package index from the environment.
  const env = process.env as Record<string, string>
  const { code, out, err } = await runCommand(command, { input, env })
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${err || out}`)
  return out
}
