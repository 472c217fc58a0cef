import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createFolder, runCommand } from '../binary/cork.ts'
import { requireCommand } from '../support/commands.ts'

const PART = 'generators'
const programs = join(import.meta.dir, 'programs')

/** A folder outside of this one, in which a client is generated, compiled and called. */
export interface Workshop {
  path: (...names: string[]) => string
  /** Copies a program to a place in the folder. */
  copy(program: string, target?: string): void
  run(command: string[], cwd?: string): Promise<string>
}

export function openWorkshop(): Workshop {
  const folder = createFolder()
  const path = (...names: string[]) => join(folder, ...names)
  return {
    path,
    copy(program, target = program) {
      mkdirSync(join(path(target), '..'), { recursive: true })
      cpSync(join(programs, program), path(target))
    },
    async run([name = '', ...args], cwd = folder) {
      const command = name.includes('/') ? name : requireCommand(name, name, PART)
      const env = { ...process.env } as Record<string, string>
      const { code, out, err } = await runCommand(['env', '-C', cwd, command, ...args], { env })
      if (code !== 0)
        throw new Error(`${name} ${args.join(' ')} ended with ${code}: ${err}\n${out}`)
      return out
    },
  }
}
