import { eq } from 'drizzle-orm'
import { loadConverter } from '../../content/index.ts'
import { teams } from '../../features/identity/teams/model/index.ts'
import { taskLines } from '../../features/tasks/edits/model/index.ts'
import type { Clock, Tx } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { Inserter } from '../../store/bulk.ts'
import type { DatabaseLocation } from '../../store/open.ts'
import {
  type Clean,
  idsOfActors,
  type NewChange,
  type TeamImport,
  type TeamLines,
} from '../../store/portability/index.ts'
import { StagedWriter } from '../../store/staged-writer.ts'
import type { OpenStore } from '../../store/store.ts'
import { changes, importedActors, imports } from '../../store/tables.ts'
import { linesAfterTasks, linesBeforeTasks } from '../kinds.ts'
import { readFile } from '../lines.ts'
import { announceTasks } from './announce.ts'
import { cleanerOf, cleanRecord } from './clean.ts'
import { discard } from './discard.ts'
import { Lease } from './lease.ts'
import { pushTo, TaskImporter } from './tasks.ts'
import { parseRecord } from './validate.ts'

/** The result of an import. */
export interface ImportSummary {
  team_id: number
  team: string
  /** Emails of people who already had an account on this server. */
  known: string[]
  /** Emails of people who got a new account. `cork user password` sets their password. */
  created: string[]
  boards: number
  tasks: number
}

export interface ImportOptions {
  where: DatabaseLocation
  store: Pick<OpenStore, 'read' | 'write'>
  clock: Clock
  path: string
  onProgress(tasks: number): void
  /** Aborts the import. */
  signal: AbortSignal
}

/**
 * Imports a file that `checkFile` has accepted as a new team, while servers keep running. Its rows
 * are staged in small transactions, invisible to everybody, and published by one last transaction.
 */
export async function importTeam(options: ImportOptions): Promise<ImportSummary> {
  const { where, store, clock, signal } = options
  const lease = new Lease(clock, signal)
  const stage = await StagedWriter.open(where, lease.renew)
  const summary = await stageFile(stage, lease, options)
    .catch(async (error) => {
      await stage.close()
      // If the discard fails too, as on a full disk, a server discards the import later.
      if (lease.team_id !== undefined) await discard(store, lease.team_id).catch(() => {})
      throw error
    })
    .finally(() => stage.close())
  await announceAll(summary.team_id, options)
  return summary
}

const MIN_PAUSE_MS = 5

/**
 * Writes the imported tasks to the change log, batch by batch. The import is already published: if
 * this process stops here, a server writes the rest.
 */
async function announceAll(
  team_id: number,
  { store, clock, signal }: ImportOptions,
): Promise<void> {
  try {
    for (;;) {
      const startedAt = performance.now()
      const hasMore = await store.write((tx) => announceTasks(tx, team_id, clock()))
      if (!hasMore || signal.aborted) return
      // Pauses as long as the batch held the write lock, so that other writers get their turn.
      await Bun.sleep(Math.max(MIN_PAUSE_MS, performance.now() - startedAt))
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
  }
}

async function stageFile(
  stage: StagedWriter,
  lease: Lease,
  { clock, path, onProgress }: ImportOptions,
) {
  const content = await loadConverter()
  const importer = new RecordImporter(stage, lease, cleanerOf(content), { clock, onProgress })
  let first = true
  for await (const { line } of readFile(path)) {
    if (!first) {
      const { kind, record } = parseRecord(line)
      // Cleaning a text can take long; an open transaction would keep other writers waiting.
      if (kind !== 'person') await stage.commit()
      await importer.importRecord(kind, cleanRecord(content, kind, record) as object)
    }
    first = false
  }
  await importer.complete()
  return stage.atomic((tx) => importer.publish(tx, clock()))
}

const teamLines = new Map(
  [...linesBeforeTasks, ...linesAfterTasks].map((lines) => [lines.kind, lines]),
)

/** Stages the records of a file one after the other. */
class RecordImporter {
  private readonly team: TeamImport
  private readonly tasks: TaskImporter
  /** What the kinds staged, in the order of the lines. */
  private readonly staged = new Map<string, unknown[]>()

  constructor(
    private readonly stage: StagedWriter,
    private readonly lease: Lease,
    clean: Clean,
    { clock, onProgress }: Pick<ImportOptions, 'clock' | 'onProgress'>,
  ) {
    const actors = new Map<string, number>()
    this.team = {
      ...{ team_id: 0, now: clock(), clean, actors, boards: new Map() },
      inserter: new Inserter(stage.tx, stage.ensureTransaction),
      commit: stage.commit,
      ids: idsOfActors((name) => actors.get(name)!),
      taskOf: (ticket) => this.tasks.idOf(ticket),
      ...{ known: [], created: [], owner_id: 0 },
    }
    this.tasks = new TaskImporter(this.team, onProgress)
  }

  async importRecord(kind: string, record: object): Promise<void> {
    const lines = teamLines.get(kind)
    if (lines) await this.stageRecord(lines, record)
    else if (kind === taskLines.kind) await this.tasks.addTask(record as never)
    else this.tasks.addChild(kind, record)
    if (this.lease.team_id === undefined) await this.begin()
  }

  private async stageRecord(lines: TeamLines, record: object): Promise<void> {
    const result = await lines.stage(record as never, this.team)
    if (!lines.complete && !lines.publish) return
    pushTo(this.staged, lines.kind, result)
  }

  /** The team is staged in the transaction that records its import and gives it a lease. */
  private async begin(): Promise<void> {
    const { team_id } = this.team
    await this.stage.tx.insert(imports).values({
      ...{ team_id, state: 'staged', expires_at: this.lease.expires_at },
      ...{ actor_id: null, upto: 0, last: 0 },
    })
    await this.stage.commit()
    this.lease.team_id = team_id
  }

  async complete(): Promise<void> {
    await this.tasks.finish()
    for (const { kind, complete } of teamLines.values())
      await complete?.(this.staged.get(kind) ?? [], this.team)
  }

  /**
   * Makes the team visible. The cost grows with the people, boards and views, not with the tasks.
   */
  async publish(tx: Tx, now: Date): Promise<ImportSummary> {
    const { team_id, known, created, owner_id, boards } = this.team
    const newChanges: NewChange[] = []
    for (const { kind, publish } of teamLines.values())
      newChanges.push(...((await publish?.(this.staged.get(kind) ?? [], this.team, tx)) ?? []))
    // Followers of the change log see the team like one that was created on this server.
    const rows = newChanges.map(({ type, data, project_id = null }) => ({
      ...{ type, project_id, task_id: null, data },
      ...{ team_id, actor_id: owner_id, created_at: now },
    }))
    await new Inserter(tx).insert(changes, rows)
    await tx.delete(importedActors).where(eq(importedActors.team_id, team_id))
    const { first, last, count } = this.tasks
    await tx
      .update(imports)
      .set({ state: 'published', actor_id: owner_id, upto: first - 1, last })
      .where(eq(imports.team_id, team_id))
    const [team] = await tx.select().from(teams).where(eq(teams.team_id, team_id))
    return { team_id, team: team!.name, known, created, boards: boards.size, tasks: count }
  }
}
