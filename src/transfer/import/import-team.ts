import { type Format, loadConverter } from '../../content/index.ts'
import { actors, personByEmail } from '../../features/people/index.ts'
import { rebuildCounts, recordImportedMoves } from '../../features/tasks/index.ts'
import { teams } from '../../features/teams/index.ts'
import type { Clock } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { Inserter } from '../../store/bulk.ts'
import type { DatabaseLocation } from '../../store/open.ts'
import { StagedWriter } from '../../store/staged-writer.ts'
import type { OpenStore } from '../../store/store.ts'
import { importedActors, imports } from '../../store/tables.ts'
import { readFile } from '../lines.ts'
import { agentName } from '../participants.ts'
import type { Kind, RecordOf } from '../schema.ts'
import { announceTasks } from './announce.ts'
import { insertBoard, insertReport } from './boards.ts'
import { cleanerOf, cleanRecord } from './clean.ts'
import { discard } from './discard.ts'
import { Lease } from './lease.ts'
import { insertSkill, insertTemplate } from './planning.ts'
import { type ImportSummary, publish, type StagedTeam } from './publish.ts'
import { parseRecord } from './record.ts'
import { type ImportedBoard, TaskImporter } from './tasks.ts'

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
  const importer = new RecordImporter(stage, lease, {
    clean: cleanerOf(content),
    clock,
    onProgress,
  })
  let first = true
  for await (const { line } of readFile(path)) {
    if (!first) {
      const { kind, record } = parseRecord(line)
      // Cleaning a text can take long; an open transaction would keep other writers waiting.
      if (kind !== 'person') await stage.commit()
      await importer.importRecord(kind, cleanRecord(content, kind, record))
    }
    first = false
  }
  const arrival = await importer.finish()
  return stage.atomic((tx) => publish(tx, arrival, clock()))
}

const toDate = (text: string) => new Date(text)

interface Dependencies {
  clean: ReturnType<typeof cleanerOf>
  clock: Clock
  onProgress(tasks: number): void
}

/** Stages the records of a file one after the other. */
class RecordImporter {
  private team_id = 0
  private team!: RecordOf<'team'>
  private readonly actors = new Map<string, number>()
  private readonly people: StagedTeam['people'] = []
  private readonly agents: StagedTeam['agents'] = []
  private readonly boards = new Map<string, ImportedBoard>()
  private readonly boardRecords: RecordOf<'board'>[] = []
  private readonly views: RecordOf<'my_view'>[] = []
  private readonly tasks: TaskImporter
  private readonly inserter: Inserter

  constructor(
    private readonly stage: StagedWriter,
    private readonly lease: Lease,
    { clean, onProgress, clock }: Dependencies,
  ) {
    this.inserter = new Inserter(stage.tx, stage.ensureTransaction)
    const cleanText = (text: string, format: Format) => clean(text, format).text
    this.tasks = new TaskImporter(stage, this.actorOf, cleanText, onProgress, clock())
  }

  private readonly importers: { [K in Kind]: (record: RecordOf<K>) => Promise<void> } = {
    team: (team) => this.startTeam(team),
    person: (person) => this.addPerson(person),
    agent: (agent) => this.addAgent(agent),
    board: (board) => this.addBoard(board),
    task: (task) => this.tasks.addTask(task, this.boardOf(task.board)),
    report: (report) =>
      insertReport(this.inserter, this.boardOf(report.board), this.actorOf, report),
    template: (template) =>
      insertTemplate(this.inserter, this.boardOf(template.board), this.actorOf, template),
    skill: (skill) => insertSkill(this.inserter, this.boardOf(skill.board), this.actorOf, skill),
    version: (version) => this.tasks.addChild('version', version),
    comment: (comment) => this.tasks.addChild('comment', comment),
    attachment: (attachment) => this.tasks.addChild('attachment', attachment),
    decision: (decision) => this.tasks.addChild('decision', decision),
    pull_request: (request) => this.tasks.addChild('pull_request', request),
    evidence: (evidence) => this.tasks.addChild('evidence', evidence),
    escalation: (escalation) => this.tasks.addChild('escalation', escalation),
    page: (page) => this.tasks.addChild('page', page),
    page_version: (version) => this.tasks.addChild('page_version', version),
    time_entry: (entry) => this.tasks.addChild('time_entry', entry),
    relation: async (relation) => this.tasks.addRelation(relation),
    my_view: async (view) => void this.views.push(view),
    // `importFiles` has stored the bytes before the import began.
    file: async () => {},
  }

  async importRecord(kind: Kind, record: unknown): Promise<void> {
    await this.importers[kind](record as never)
  }

  async finish(): Promise<StagedTeam> {
    await this.tasks.finish()
    for (const board of this.boards.values()) {
      await this.stage.commit()
      await rebuildCounts(this.stage.tx, board, this.stage.ensureTransaction)
    }
    const { first, last } = this.tasks
    await recordImportedMoves(this.inserter, { team_id: this.team_id, first, last })
    const { team_id, team, people, agents, boards, boardRecords, views, tasks } = this
    const localIds = {
      actorOf: this.actorOf,
      board: this.boardOf,
      task: (ticket: string) => tasks.idOf(ticket),
    }
    return { team_id, team, people, agents, boards, boardRecords, views, tasks, localIds }
  }

  private readonly actorOf = (who: string): number => this.actors.get(who)!
  private readonly boardOf = (key: string): ImportedBoard => this.boards.get(key)!

  private async startTeam(team: RecordOf<'team'>): Promise<void> {
    this.team = team
    await this.stage.ensureTransaction()
    const { tx } = this.stage
    const row = {
      ...{ name: team.name, team_uuid: crypto.randomUUID() },
      created_at: toDate(team.created_at),
    }
    const [inserted] = await tx.insert(teams).values(row).returning({ team_id: teams.team_id })
    this.team_id = inserted!.team_id
    await tx.insert(imports).values({
      ...{ team_id: this.team_id, state: 'staged', expires_at: this.lease.expires_at },
      ...{ actor_id: null, upto: 0, last: 0 },
    })
    await this.stage.commit()
    this.lease.team_id = this.team_id
  }

  private async addPerson(record: RecordOf<'person'>): Promise<void> {
    const { email, name, avatar, created_at } = record
    await this.stage.ensureTransaction()
    const known = await personByEmail(this.stage.tx, email)
    const draft = { name, avatar, created_at: toDate(created_at) }
    const actor_id = known?.actor_id ?? (await this.insertActor({ kind: 'person', ...draft }))
    this.actors.set(email, actor_id)
    this.people.push({ record, actor_id, isKnown: known !== undefined })
  }

  private async addAgent(record: RecordOf<'agent'>): Promise<void> {
    const { name, avatar, created_at } = record
    const draft = { name, avatar, created_at: toDate(created_at) }
    const actor_id = await this.insertActor({ kind: 'agent', ...draft })
    this.actors.set(agentName(record.agent_id), actor_id)
    this.agents.push({ record, actor_id })
  }

  /** Inserts an actor without an account: nobody can find it, and it cannot sign in. */
  private async insertActor(row: typeof actors.$inferInsert): Promise<number> {
    await this.stage.ensureTransaction()
    const { tx } = this.stage
    const [inserted] = await tx.insert(actors).values(row).returning({ actor_id: actors.actor_id })
    const { actor_id } = inserted!
    await tx.insert(importedActors).values({ team_id: this.team_id, actor_id })
    return actor_id
  }

  private async addBoard(board: RecordOf<'board'>): Promise<void> {
    this.boards.set(board.key, await insertBoard(this.inserter, this.team_id, this.actorOf, board))
    this.boardRecords.push(board)
  }
}
