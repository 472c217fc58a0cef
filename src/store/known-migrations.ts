import { packMigrations } from './migrations.ts' with { type: 'macro' }
import type { Migration, PackedMigrations } from './migrations.ts'
import { UnusableError } from './unusable.ts'

type Engine = 'sqlite' | 'postgres'

export const knownMigrations: Record<Engine, Migration[]> = {
  sqlite: unpacked(packMigrations('sqlite')),
  postgres: unpacked(packMigrations('postgres')),
}

function unpacked({ names, statements }: PackedMigrations): Migration[] {
  let unpacked: string[][] | undefined
  const unpack = () => {
    const json = Bun.zstdDecompressSync(Buffer.from(statements, 'base64')).toString()
    return JSON.parse(json) as string[][]
  }
  return names.map((name, nth) => ({
    name,
    get statements() {
      unpacked ??= unpack()
      return unpacked[nth]!
    },
  }))
}

const knownNames = (engine: Engine) => knownMigrations[engine].map(({ name }) => name)

/** Whether exactly the migrations of this program were applied to a database. */
export const isCurrent = (engine: Engine, applied: readonly string[]): boolean =>
  knownNames(engine).join() === [...applied].sort().join()

export const findUnknown = (engine: Engine, applied: readonly string[]): string | undefined =>
  applied.find((name) => !knownNames(engine).includes(name))

/**
 * The migrations that create the schema a backup was taken from. The two engines have different
 * migrations, so a backup of another engine must be at the newest one.
 */
export function migrationsFor(
  { engine, migrations }: { engine: Engine; migrations: readonly string[] },
  target: Engine,
): Migration[] {
  const unknown = findUnknown(engine, migrations)
  if (unknown)
    throw new UnusableError(
      `The backup was made by a newer cork (migration ${unknown}). Restore it with that version.`,
    )
  if (engine === target)
    return knownMigrations[target].filter(({ name }) => migrations.includes(name))
  if (isCurrent(engine, migrations)) return knownMigrations[target]
  throw new UnusableError(
    `The backup is from an older database on ${engine}. Restore it there with this version, and make a new backup for ${target}.`,
  )
}
