import { join } from 'node:path'
import { requireCommand, runOrThrow } from './commands.ts'

/** Installs pinned packages into a folder of their own. Returns the path of its commands. */
export async function installPackages(
  folder: string,
  requirements: string,
  part: string,
  python = 'python3',
): Promise<string> {
  const venv = join(folder, 'venv')
  await runOrThrow([requireCommand(python, 'Python 3', part), '-m', 'venv', venv])
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
  await runOrThrow([join(venv, 'bin/python'), ...pip, '--no-deps', '--requirement', requirements])
  return join(venv, 'bin')
}
