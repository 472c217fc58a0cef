import { join } from 'node:path'
import { installPackages } from '../support/python.ts'

/** Installs Schemathesis and returns the path of its command. */
export async function installSchemathesis(folder: string): Promise<string> {
  const requirements = join(import.meta.dir, 'requirements.txt')
  return join(await installPackages(folder, requirements, 'schemathesis'), 'schemathesis')
}
