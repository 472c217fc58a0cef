import { eq } from 'drizzle-orm'
import { type Format, loadConverter } from '../content/index.ts'
import { agents } from '../features/agents/index.ts'
import { actors, people, personByEmail } from '../features/people/index.ts'
import { beginMoves, countAnew } from '../features/tasks/index.ts'
import { members, teams } from '../features/teams/index.ts'
import type { Change, Tx } from '../kernel/caller.ts'
import { Inserter } from '../store/bulk.ts'
import { changes } from '../store/tables.ts'
import { placeBoard, placeReport } from './boards.ts'
import { cleaned, cleaner } from './cleaned.ts'
import { readFile } from './lines.ts'
import { agentName } from './names.ts'
import { type Numbers, placeMyView, placeSkill, placeTemplate } from './place-plans.ts'
import { recordIn } from './record.ts'
import type { Kind, RecordOf } from './schema.ts'
import { type Placed, Tasks } from './tasks.ts'

export interface Imported {
  team_id: number
  team: string
  /** People who had an account here. */
  known: string[]
  /** People who were given one, without a password. */
  created: string[]
  boards: number
  tasks: number
}

/** Takes in a file that `check` has seen, as a team of its own. */
export async function importTeam(
  tx: Tx,
  path: string,
  now: Date,
  told: (tasks: number) => void,
): Promise<Imported> {
  const content = await loadConverter()
  const taker = new Taker(tx, now, cleaner(content), told)
  let first = true
  for await (const { line } of readFile(path)) {
    if (!first) {
      const { kind, record } = recordIn(line)
      await taker.take(kind, cleaned(content, kind, record))
    }
    first = false
  }
  return taker.finish()
}

const CHANGES = 500
const moment = (text: string) => new Date(text)

class Taker {
  private team_id = 0
  private team = ''
  private owner = 0
  private readonly actors = new Map<string, number>()
  private readonly boards = new Map<string, Placed>()
  private readonly known: string[] = []
  private readonly created: string[] = []
  private readonly settings: { actor_id: number; board: string }[] = []
  private readonly confined: { actor_id: number; keys: string[] }[] = []
  private readonly tasks: Tasks
  private readonly inserter: Inserter
  private readonly views: RecordOf<'my_view'>[] = []
  private changes: Change[] = []

  constructor(
    private readonly tx: Tx,
    private readonly now: Date,
    clean: ReturnType<typeof cleaner>,
    told: (tasks: number) => void,
  ) {
    this.inserter = new Inserter(tx)
    const cleanText = (text: string, format: Format) => clean(text, format).text
    this.tasks = new Tasks(tx, (who) => this.actors.get(who)!, cleanText, told, now)
  }

  private readonly takers: { [K in Kind]: (record: RecordOf<K>) => Promise<void> } = {
    team: (team) => this.begin(team),
    person: (person) => this.person(person),
    agent: (agent) => this.agent(agent),
    board: (board) => this.board(board),
    task: async (task) => {
      for (const made of await this.tasks.task(task, this.boards.get(task.board)!))
        await this.tell('task.created', { ...made.place }, made.data)
    },
    report: (report) => this.report(report),
    template: (template) => this.template(template),
    skill: (skill) => this.skill(skill),
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
    // Its bytes were kept before the transaction began.
    file: async () => {},
  }

  async take(kind: Kind, record: unknown): Promise<void> {
    await this.takers[kind](record as never)
  }

  async finish(): Promise<Imported> {
    for (const made of await this.tasks.finish())
      await this.tell('task.created', { ...made.place }, made.data)
    for (const board of this.boards.values()) {
      await countAnew(this.tx, board)
      await beginMoves(this.tx, board)
    }
    for (const { actor_id, board } of this.settings)
      await this.tx
        .update(people)
        .set({ default_project_id: this.boards.get(board)!.project_id })
        .where(eq(people.actor_id, actor_id))
    for (const view of this.views) await placeMyView(this.tx, this.numbers, view)
    for (const { actor_id, keys } of this.confined)
      await this.tx
        .update(agents)
        .set({ project_ids: keys.map((key) => this.boards.get(key)!.project_id) })
        .where(eq(agents.actor_id, actor_id))
    await this.flush()
    const { team_id, team, known, created } = this
    return { team_id, team, known, created, boards: this.boards.size, tasks: this.tasks.count }
  }

  private async begin({ name, team_uuid, created_at }: RecordOf<'team'>): Promise<void> {
    const [taken] = await this.tx.select().from(teams).where(eq(teams.team_uuid, team_uuid))
    const [team] = await this.tx
      .insert(teams)
      .values({
        name,
        team_uuid: taken ? crypto.randomUUID() : team_uuid,
        created_at: moment(created_at),
      })
      .returning()
    this.team_id = team!.team_id
    this.team = name
    await this.tell('team.created', { team_id: this.team_id }, { name })
  }

  private async person(given: RecordOf<'person'>): Promise<void> {
    const { email, role, joined_at, default_board } = given
    const before = await personByEmail(this.tx, email)
    const actor_id = before?.actor_id ?? (await this.newcomer(given))
    this.actors.set(email, actor_id)
    ;(before ? this.known : this.created).push(email)
    // What people set for themselves here stays as they set it.
    if (!before && default_board !== null) this.settings.push({ actor_id, board: default_board })
    if (role === null) return
    const row = { team_id: this.team_id, actor_id, role, joined_at: moment(joined_at!) }
    await this.tx.insert(members).values(row)
    if (role === 'owner') this.owner ||= actor_id
  }

  private async newcomer(given: RecordOf<'person'>): Promise<number> {
    const { email, name, avatar, time_zone, locale } = given
    const created_at = moment(given.created_at)
    const [actor] = await this.tx
      .insert(actors)
      .values({ kind: 'person', name, avatar, created_at })
      .returning()
    const { actor_id } = actor!
    const details = { email, time_zone, locale, password_hash: null, created_at }
    await this.tx.insert(people).values({ actor_id, ...details })
    await this.tell('person.created', { team_id: this.team_id }, { user_id: actor_id })
    return actor_id
  }

  private async agent(given: RecordOf<'agent'>): Promise<void> {
    const { name, avatar, owner, kind, state, scopes, boards, instructions = null } = given
    const created_at = moment(given.created_at)
    const same = eq(actors.agent_id, given.agent_id)
    const [taken] = await this.tx.select().from(actors).where(same)
    const agent_id = taken ? crypto.randomUUID() : given.agent_id
    const [actor] = await this.tx
      .insert(actors)
      .values({ kind: 'agent', agent_id, name, avatar, created_at })
      .returning()
    const { actor_id } = actor!
    this.actors.set(agentName(given.agent_id), actor_id)
    const owner_id = this.actors.get(owner)!
    const rest = { team_id: this.team_id, owner_id, kind, state, scopes, instructions, created_at }
    await this.tx.insert(agents).values({ actor_id, agent_id, ...rest })
    if (boards) this.confined.push({ actor_id, keys: boards })
    await this.tell('agent.created', { team_id: this.team_id }, { agent_id, name, owner_id })
  }

  private async board(board: RecordOf<'board'>): Promise<void> {
    const { team_id } = this
    const { key, title } = board
    const placed = await placeBoard(this.tx, team_id, (who) => this.actors.get(who)!, board)
    this.boards.set(key, placed)
    const { project_id } = placed
    await this.tell('project.created', { team_id, project_id }, { title, key })
  }

  private report(report: RecordOf<'report'>): Promise<void> {
    const board = this.boards.get(report.board)!
    return placeReport(this.tx, board, (who) => this.actors.get(who)!, report)
  }

  private template(template: RecordOf<'template'>): Promise<void> {
    const { actorOf, board } = this.numbers
    return placeTemplate(this.tx, board(template.board), actorOf, template)
  }

  private skill(skill: RecordOf<'skill'>): Promise<void> {
    const { actorOf, board } = this.numbers
    return placeSkill(this.tx, board(skill.board), actorOf, skill)
  }

  private readonly numbers: Numbers = {
    actorOf: (who) => this.actors.get(who)!,
    board: (key) => this.boards.get(key)!,
    task: (ticket) => this.tasks.numberOf(ticket),
  }

  /** Whatever follows the change log hears of a team that came as of one that was made here. */
  private async tell(type: string, place: Change['place'], data: Change['data']): Promise<void> {
    this.changes.push({ type, place, data })
    if (this.changes.length >= CHANGES && this.owner) await this.flush()
  }

  private async flush(): Promise<void> {
    const rows = this.changes.map(({ type, place, data }) => ({
      type,
      team_id: place.team_id ?? null,
      project_id: place.project_id ?? null,
      task_id: place.task_id ?? null,
      actor_id: this.owner,
      data,
      created_at: this.now,
    }))
    await this.inserter.insert(changes, rows)
    this.changes = []
  }
}
