import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { CommandError } from './command.ts'

/** Writes a temporary file and renames it, so that the file is complete if it exists. */
export async function save(
  target: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  force: boolean,
): Promise<void> {
  if (!force && existsSync(target))
    throw new CommandError(
      `${target} already exists. Name another file, or overwrite it with --force`,
    )
  const temporary = `${target}.${process.pid}.part`
  try {
    await writeFile(temporary, content)
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw new CommandError(`${target} could not be written: ${(error as Error).message}`)
  }
}
