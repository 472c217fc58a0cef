/** Programs that call tools with SDKs in other languages. They are built outside of this folder. */
import { join } from 'node:path'
import { requireCommand, runOrThrow } from '../support/commands.ts'
import { installPackages } from '../support/python.ts'

const PART = 'converters'
const pathOf = (name: string) => join(import.meta.dir, name)

/** Builds a program in a folder. Returns the command that runs it. */
type Build = (folder: string) => Promise<string[]>

const python: Build = async (folder) => {
  const commands = await installPackages(folder, pathOf('requirements.txt'), PART)
  return [join(commands, 'python'), pathOf('call.py')]
}

const go: Build = async (folder) => {
  const command = requireCommand('go', 'Go 1.25 or newer', PART)
  const program = join(folder, 'call')
  await runOrThrow([command, '-C', pathOf('go'), 'build', '-o', program])
  return [program]
}

const rust: Build = async (folder) => {
  const command = requireCommand('cargo', 'Rust 1.88 or newer', PART)
  const manifest = ['--manifest-path', pathOf('rust/Cargo.toml')]
  await runOrThrow([command, 'build', '--quiet', '--locked', ...manifest, '--target-dir', folder])
  return [join(folder, 'debug/call')]
}

const pythonOAuth: Build = async (folder) => {
  const commands = await installPackages(folder, pathOf('requirements.txt'), PART)
  return [join(commands, 'python'), pathOf('oauth.py')]
}

const goOAuth: Build = async (folder) => {
  const command = requireCommand('go', 'Go 1.25 or newer', PART)
  const program = join(folder, 'oauth')
  await runOrThrow([command, '-C', pathOf('go'), 'build', '-o', program, './oauth'])
  return [program]
}

/** Programs that connect with OAuth. */
export const oauthBuilds = { Python: pythonOAuth, Go: goOAuth }

export const builds = { Python: python, Go: go, Rust: rust }
