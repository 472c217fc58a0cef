import { FieldAccount } from '../../src/import/fields.ts'
import type { Source } from '../../src/import/source.ts'
import { textFile } from '../../src/import/source.ts'
import type { Installation } from '../binary/installation.ts'
import { findInconsistencies } from './audit.ts'
import {
  countImported,
  findDuplicates,
  findGaps,
  findPartialTasks,
  type Imported,
  readImported,
} from './import-audit.ts'
import { ImportSession } from './import-session.ts'
import type { Random } from './random.ts'

export const VICTIMS = ['server', 'client', 'either'] as const
export type Victim = (typeof VICTIMS)[number]

/** A file, and what an import without disturbances makes of it. */
interface Expected {
  path: string
  /** Tasks and comments as in `Imported`, in the order of the file. */
  order: readonly string[]
  imported: Imported
  board: Awaited<ReturnType<ImportSession['export']>>
  milliseconds: number
}

interface Outcome {
  /** Kills after which only a part of the tasks and comments was there. */
  partial: number
  problems: string[]
}

/** Imports a file without disturbances. */
export async function importUndisturbed(
  installation: Installation,
  source: Source,
  path: string,
): Promise<Expected> {
  const session = await ImportSession.open(installation, path)
  const startedAt = performance.now()
  const { boards } = await session.import()
  const milliseconds = performance.now() - startedAt
  const imported = await readImported(session.database.query)
  const board = await session.export(boards[0]!.key)
  await session.close()
  return { path, order: await orderOf(source, path), imported, board, milliseconds }
}

async function orderOf(source: Source, path: string): Promise<string[]> {
  const file = textFile('import.json', await Bun.file(path).text())
  const report = { fields: new FieldAccount(source.fields), lose: () => {} }
  const order: string[] = []
  for await (const record of source.read([file], report)) {
    if ('task' in record) order.push(`task ${record.task.id}`)
    if ('comment' in record) order.push(`comment ${record.comment.id}`)
  }
  return order
}

/** Imports a file while the server or the client is killed, until it is complete, and checks it. */
export async function importDisturbed(
  installation: Installation,
  expected: Expected,
  { victim, kills, random }: { victim: Victim; kills: number; random: Random },
): Promise<Outcome> {
  const session = await ImportSession.open(installation, expected.path)
  const scenario = new ImportScenario(session, expected, random)
  try {
    await scenario.disturb(victim, kills)
    await scenario.complete()
  } catch (error) {
    scenario.problems.push((error as Error).message)
  }
  const code = await session.close()
  if (code !== 0) scenario.problems.push(`the server ended with ${code}`)
  return scenario
}

class ImportScenario implements Outcome {
  readonly problems: string[] = []
  partial = 0
  private run?: Bun.Subprocess

  constructor(
    private readonly session: ImportSession,
    private readonly expected: Expected,
    private readonly random: Random,
  ) {}

  async disturb(victim: Victim, kills: number): Promise<void> {
    const { length } = this.expected.order
    // The first kill comes early: the import is in progress then, also on a fast machine.
    const within = (kill: number) => (kill === 0 ? length / 4 : length)
    const moments = Array.from({ length: kills }, (_, kill) => this.random.below(within(kill)))
    for (const moment of moments.toSorted((a, b) => a - b)) {
      if (!this.run || this.run.exitCode !== null) this.run = await this.session.startImport()
      await this.waitFor(moment, this.run)
      const isServer = victim === 'either' ? this.random.onceIn(2) : victim === 'server'
      if (isServer) await this.session.killServer()
      else await this.killClient(this.run)
      await this.checkPart()
      if (isServer) await this.session.restart()
    }
    // It has gone on by itself, if only the server was killed.
    await this.run?.exited
  }

  /** Waits until so many records are there, and a random time more: rarely a long one. */
  private async waitFor(records: number, run: Bun.Subprocess): Promise<void> {
    const { milliseconds } = this.expected
    const extra = this.random.next() * (this.random.onceIn(4) ? milliseconds / 2 : 40)
    const { query } = this.session.database
    while (run.exitCode === null && (await countImported(query)) < records) await Bun.sleep(5)
    await Bun.sleep(extra)
  }

  private async killClient(run: Bun.Subprocess): Promise<void> {
    run.kill('SIGKILL')
    await run.exited
    this.run = undefined
    await this.session.waitUntilSettled()
  }

  private async checkPart(): Promise<void> {
    const { order } = this.expected
    const imported = await this.check()
    this.problems.push(...findGaps(imported, order))
    if (imported.records.length && imported.records.length < order.length) this.partial++
  }

  private async check(): Promise<Imported> {
    const { query, isSqlite } = this.session.database
    const imported = await readImported(query)
    this.problems.push(
      ...findPartialTasks(imported, this.expected.imported),
      ...(await findDuplicates(query)),
      ...(await findInconsistencies(query, isSqlite)),
    )
    return imported
  }

  /** Imports the rest, imports again, undoes the import and restores it. */
  async complete(): Promise<void> {
    const { boards, outcomes, problems, unresolved } = await this.session.import()
    const { key } = boards[0]!
    await this.checkComplete('completed', key)
    const { kept } = outcomes
    this.expect('completed', { kept, problems, unresolved }, NOTHING_LEFT)
    const again = await this.session.import()
    this.expect('imported again', again.outcomes, { created: 0, updated: 0, kept: 0 })
    await this.checkComplete('imported again', key)
    const { tasks } = this.expected.imported
    const undone = await this.session.undo(again.import.import_id)
    this.expect('undone', undone, { deleted_tasks: tasks.size })
    this.expect('undone', await this.session.export(key), { tasks: [] })
    const restored = await this.session.import()
    this.expect('restored', restored.outcomes, { created: 0, updated: tasks.size, kept: 0 })
    await this.checkComplete('restored', key)
  }

  private async checkComplete(when: string, key: string): Promise<void> {
    const { order, board } = this.expected
    const imported = await this.check()
    this.expect(when, { records: imported.records.length }, { records: order.length })
    const { tasks, ...rest } = await this.session.export(key)
    this.expect(when, rest, { ...board, tasks: undefined })
    this.expect(when, { exported: tasks.length }, { exported: board.tasks.length })
    for (const [at, task] of board.tasks.entries()) this.expect(when, tasks[at] ?? {}, task)
  }

  /** Compares the fields of `expected`. */
  private expect(when: string, found: object, expected: object): void {
    for (const [name, value] of Object.entries(expected)) {
      const [is, should] = [found[name as never], value].map((one) => JSON.stringify(one))
      if (is !== should) this.problems.push(`${when}: ${name} is ${is} instead of ${should}`)
    }
  }
}

const NOTHING_LEFT = { kept: 0, problems: [], unresolved: 0 }
