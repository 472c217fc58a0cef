import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Migration {
  name: string
  statements: string[]
}

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

export interface PackedMigrations {
  names: string[]
  /** The statements of each migration: JSON, compressed with zstd, in base64. */
  statements: string
}

/** Runs as a macro at build time, so that the binary contains the migrations. */
export function packMigrations(dialect: 'sqlite' | 'postgres'): PackedMigrations {
  const migrations = migrationsOf(dialect)
  const json = JSON.stringify(migrations.map(({ statements }) => statements))
  return {
    names: migrations.map(({ name }) => name),
    statements: Bun.zstdCompressSync(json, { level: 19 }).toString('base64'),
  }
}
