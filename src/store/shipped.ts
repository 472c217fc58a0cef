import { migrationsOf } from './migrations.ts' with { type: 'macro' }
import type { Migration } from './migrations.ts'
import { Unusable } from './unusable.ts'

type Engine = 'sqlite' | 'postgres'

const shipped: Record<Engine, Migration[]> = {
  sqlite: migrationsOf('sqlite'),
  postgres: migrationsOf('postgres'),
}

const names = (engine: Engine) => shipped[engine].map(({ name }) => name)

/** Whether a database has been through all the migrations that this program knows, and no others. */
export const isCurrent = (engine: Engine, applied: readonly string[]): boolean =>
  names(engine).join() === [...applied].sort().join()

export const unknownTo = (engine: Engine, applied: readonly string[]): string | undefined =>
  applied.find((name) => !names(engine).includes(name))

/**
 * The migrations that make a database such as a backup was taken of. Between engines that is
 * certain only where both are at what this program knows.
 */
export function migrationsFor(
  { engine, migrations }: { engine: Engine; migrations: readonly string[] },
  target: Engine,
): Migration[] {
  const foreign = unknownTo(engine, migrations)
  if (foreign)
    throw new Unusable(
      `The backup was made by a newer cork (migration ${foreign}). Restore it with that version.`,
    )
  if (engine === target) return shipped[target].filter(({ name }) => migrations.includes(name))
  if (isCurrent(engine, migrations)) return shipped[target]
  throw new Unusable(
    `The backup is of an older database on ${engine}. Restore it there with this version, and make a new backup to take to ${target}.`,
  )
}
