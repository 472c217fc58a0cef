import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { teams } from '../../src/features/identity/teams/model/index.ts'
import type { Tx } from '../../src/kernel/caller.ts'
import type { DatabaseLocation } from '../../src/store/open.ts'
import type { OpenStore } from '../../src/store/store.ts'
import { exportTeam } from '../../src/transfer/export/stream.ts'
import { checkFile } from '../../src/transfer/import/check-file.ts'
import { importTeam } from '../../src/transfer/import/import-team.ts'
import { exportText } from '../binary/export-lines.ts'
import { createDatabaseLocation, emptyFolder, openTestStore } from '../support/database.ts'
import { NOON } from '../support/world.ts'

export type Lines = { [kind: string]: Record<string, unknown> }[]

/** No task has a file. */
const files = { read: async () => undefined } as never

export async function writeExport(lines: object[]): Promise<string> {
  const path = join(emptyFolder(), 'team.jsonl')
  await Bun.write(path, exportText(lines))
  return path
}

/** Imports the lines into a new database, once or more often, and exports the last team. */
export async function roundTrip(lines: object[], times = 1): Promise<Lines> {
  const path = await writeExport(lines)
  await checkFile(path)
  const where = await createDatabaseLocation()
  const store = await openTestStore(where, () => NOON)
  let team_id = 0
  for (let time = 0; time < times; time++) ({ team_id } = await importFile(where, store, path))
  return store.read((tx) => exportedLines(tx, team_id))
}

/** Imports a file into the database of an open store. */
export const importFile = (where: DatabaseLocation, store: OpenStore, path: string) => {
  const { signal } = new AbortController()
  return importTeam({ where, store, path, clock: () => NOON, onProgress() {}, signal })
}

/** The exported lines of a team. */
export async function exportedLines(tx: Tx, team_id: number, now = NOON): Promise<Lines> {
  const [team] = await tx.select().from(teams).where(eq(teams.team_id, team_id))
  const out: Lines = []
  for await (const line of exportTeam({ tx, files, now }, team!, () => {})) out.push(line as never)
  return out
}
