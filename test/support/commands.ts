import { runCommand } from '../binary/cork.ts'

/** Returns the path of a command. If it is missing, the error says what to install. */
export function requireCommand(name: string, product: string, part: string): string {
  const path = Bun.which(name)
  if (!path)
    throw new Error(
      `This part needs ${product}, and the command ${name} was not found. ` +
        `Install it, or leave the part out with CORK_TEST_SKIP=${part}`,
    )
  return path
}

/** Runs a command and returns what it prints. */
export async function runOrThrow(command: string[], input = ''): Promise<string> {
  // Package managers read their settings from the environment.
  const env = process.env as Record<string, string>
  const { code, out, err } = await runCommand(command, { input, env })
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${err || out}`)
  return out
}
