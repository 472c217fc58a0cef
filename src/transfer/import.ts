import { type Format, loadConverter } from '../content/index.ts'
import { actors, personByEmail } from '../features/people/index.ts'
import { beginMoves, countAnew } from '../features/tasks/index.ts'
import { teams } from '../features/teams/index.ts'
import type { Clock } from '../kernel/caller.ts'
import { Fault } from '../kernel/fault.ts'
import { Inserter } from '../store/bulk.ts'
import type { Where } from '../store/open.ts'
import { Stage } from '../store/stage.ts'
import type { OpenStore } from '../store/store.ts'
import { importedActors, imports } from '../store/tables.ts'
import { placeBoard, placeReport } from './boards.ts'
import { cleaned, cleaner } from './cleaned.ts'
import { discard } from './discard.ts'
import { followUp } from './follow-up.ts'
import { Lease } from './lease.ts'
import { readFile } from './lines.ts'
import { agentName } from './names.ts'
import { placeSkill, placeTemplate } from './place-plans.ts'
import { type Arrival, type Imported, publish } from './publish.ts'
import { recordIn } from './record.ts'
import type { Kind, RecordOf } from './schema.ts'
import { type Placed, Tasks } from './tasks.ts'

export interface Importing {
  where: Where
  store: Pick<OpenStore, 'read' | 'write'>
  clock: Clock
  path: string
  told(tasks: number): void
  /** Ends the import before its time. */
  signal: AbortSignal
}

/**
 * Takes in a file that `check` has seen, as a team of its own, while servers go on: its rows are
 * staged in small transactions, seen by nobody, and published by one last transaction.
 */
export async function importTeam(importing: Importing): Promise<Imported> {
  const { where, store, clock, signal } = importing
  const lease = new Lease(clock, signal)
  const stage = await Stage.open(where, lease.renew)
  const imported = await staged(stage, lease, importing)
    .catch(async (error) => {
      await stage.close()
      // Where that fails too, as on a full disk, a server does it later.
      if (lease.team_id !== undefined) await discard(store, lease.team_id).catch(() => {})
      throw error
    })
    .finally(() => stage.close())
  await named(imported.team_id, importing)
  return imported
}

const LEAST_REST_MS = 5

/** The import is done by now. Whatever keeps this from its end, a server goes on with it. */
async function named(team_id: number, { store, clock, signal }: Importing): Promise<void> {
  try {
    for (;;) {
      const began = performance.now()
      const goesOn = await store.write((tx) => followUp(tx, team_id, clock()))
      if (!goesOn || signal.aborted) return
      // As long as it kept the database from other writers, it leaves it to them.
      await Bun.sleep(Math.max(LEAST_REST_MS, performance.now() - began))
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
  }
}

async function staged(stage: Stage, lease: Lease, { clock, path, told }: Importing) {
  const content = await loadConverter()
  const taker = new Taker(stage, lease, { clean: cleaner(content), clock, told })
  let first = true
  for await (const { line } of readFile(path)) {
    if (!first) {
      const { kind, record } = recordIn(line)
      // A text may take long to clean, and other writers would wait for what is open.
      if (kind !== 'person') await stage.commit()
      await taker.take(kind, cleaned(content, kind, record))
    }
    first = false
  }
  const arrival = await taker.finish()
  return stage.atomic((tx) => publish(tx, arrival, clock()))
}

const moment = (text: string) => new Date(text)

interface Outside {
  clean: ReturnType<typeof cleaner>
  clock: Clock
  told(tasks: number): void
}

/** Stages one record after the other. */
class Taker {
  private team_id = 0
  private team!: RecordOf<'team'>
  private readonly actors = new Map<string, number>()
  private readonly people: Arrival['people'] = []
  private readonly agents: Arrival['agents'] = []
  private readonly boards = new Map<string, Placed>()
  private readonly boardRecords: RecordOf<'board'>[] = []
  private readonly views: RecordOf<'my_view'>[] = []
  private readonly tasks: Tasks
  private readonly inserter: Inserter

  constructor(
    private readonly stage: Stage,
    private readonly lease: Lease,
    { clean, told, clock }: Outside,
  ) {
    this.inserter = new Inserter(stage.tx, stage.breathe)
    const cleanText = (text: string, format: Format) => clean(text, format).text
    this.tasks = new Tasks(stage, this.actorOf, cleanText, told, clock())
  }

  private readonly takers: { [K in Kind]: (record: RecordOf<K>) => Promise<void> } = {
    team: (team) => this.begin(team),
    person: (person) => this.person(person),
    agent: (agent) => this.agent(agent),
    board: (board) => this.board(board),
    task: (task) => this.tasks.task(task, this.boardOf(task.board)),
    report: (one) => placeReport(this.inserter, this.boardOf(one.board), this.actorOf, one),
    template: (one) => placeTemplate(this.inserter, this.boardOf(one.board), this.actorOf, one),
    skill: (one) => placeSkill(this.inserter, this.boardOf(one.board), this.actorOf, one),
    version: (version) => this.tasks.piece('version', version),
    comment: (comment) => this.tasks.piece('comment', comment),
    attachment: (attachment) => this.tasks.piece('attachment', attachment),
    decision: (decision) => this.tasks.piece('decision', decision),
    pull_request: (request) => this.tasks.piece('pull_request', request),
    evidence: (evidence) => this.tasks.piece('evidence', evidence),
    escalation: (call) => this.tasks.piece('escalation', call),
    page: (page) => this.tasks.piece('page', page),
    page_version: (version) => this.tasks.piece('page_version', version),
    time_entry: (entry) => this.tasks.piece('time_entry', entry),
    relation: async (relation) => this.tasks.relation(relation),
    my_view: async (view) => void this.views.push(view),
    // Its bytes were kept before the import began.
    file: async () => {},
  }

  async take(kind: Kind, record: unknown): Promise<void> {
    await this.takers[kind](record as never)
  }

  async finish(): Promise<Arrival> {
    await this.tasks.finish()
    for (const board of this.boards.values()) {
      await this.stage.commit()
      await countAnew(this.stage.tx, board, this.stage.breathe)
    }
    const { first, last } = this.tasks
    await beginMoves(this.inserter, { team_id: this.team_id, first, last })
    const { team_id, team, people, agents, boards, boardRecords, views, tasks } = this
    const numbers = {
      actorOf: this.actorOf,
      board: this.boardOf,
      task: (ticket: string) => tasks.numberOf(ticket),
    }
    return { team_id, team, people, agents, boards, boardRecords, views, tasks, numbers }
  }

  private readonly actorOf = (who: string): number => this.actors.get(who)!
  private readonly boardOf = (key: string): Placed => this.boards.get(key)!

  private async begin(team: RecordOf<'team'>): Promise<void> {
    this.team = team
    await this.stage.breathe()
    const { tx } = this.stage
    const row = {
      ...{ name: team.name, team_uuid: crypto.randomUUID() },
      created_at: moment(team.created_at),
    }
    const [made] = await tx.insert(teams).values(row).returning({ team_id: teams.team_id })
    this.team_id = made!.team_id
    await tx.insert(imports).values({
      ...{ team_id: this.team_id, state: 'staged', expires_at: this.lease.expires_at },
      ...{ actor_id: null, upto: 0, last: 0 },
    })
    await this.stage.commit()
    this.lease.team_id = this.team_id
  }

  private async person(given: RecordOf<'person'>): Promise<void> {
    const { email, name, avatar, created_at } = given
    await this.stage.breathe()
    const before = await personByEmail(this.stage.tx, email)
    const draft = { name, avatar, created_at: moment(created_at) }
    const actor_id = before?.actor_id ?? (await this.actor({ kind: 'person', ...draft }))
    this.actors.set(email, actor_id)
    this.people.push({ given, actor_id, isKnown: before !== undefined })
  }

  private async agent(given: RecordOf<'agent'>): Promise<void> {
    const { name, avatar, created_at } = given
    const draft = { name, avatar, created_at: moment(created_at) }
    const actor_id = await this.actor({ kind: 'agent', ...draft })
    this.actors.set(agentName(given.agent_id), actor_id)
    this.agents.push({ given, actor_id })
  }

  /** An actor without an account: it can neither be found nor sign in. */
  private async actor(row: typeof actors.$inferInsert): Promise<number> {
    await this.stage.breathe()
    const { tx } = this.stage
    const [made] = await tx.insert(actors).values(row).returning({ actor_id: actors.actor_id })
    const { actor_id } = made!
    await tx.insert(importedActors).values({ team_id: this.team_id, actor_id })
    return actor_id
  }

  private async board(board: RecordOf<'board'>): Promise<void> {
    this.boards.set(board.key, await placeBoard(this.inserter, this.team_id, this.actorOf, board))
    this.boardRecords.push(board)
  }
}
