import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Migration {
  name: string
  statements: string[]
}

/** Runs as a macro at build time, so that the binary contains the migrations as text. */
export function migrationsOf(dialect: 'sqlite' | 'postgres'): Migration[] {
  const folder = join(import.meta.dir, '../../drizzle', dialect)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      name: file.replace('.sql', ''),
      statements: readFileSync(join(folder, file), 'utf8').split('--> statement-breakpoint'),
    }))
}
