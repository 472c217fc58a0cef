import { validate } from '../kernel/validate.ts'
import type { Line } from './lines.ts'
import { agentName } from './names.ts'
import { KINDS, type Kind, type RecordOf, records } from './schema.ts'

/** Why a file cannot be taken in; the line where it is not the one that is read. */
export class Wrong extends Error {
  constructor(
    message: string,
    readonly line?: number,
  ) {
    super(message)
  }
}

/** The kind of a line, and what it holds. */
export function recordIn(line: Line): { kind: Kind; record: unknown } {
  const [kind, ...others] = Object.keys(line)
  if (!kind || others.length || !Object.hasOwn(records, kind))
    throw new Wrong(`a line holds one of ${KINDS.join(', ')}, not ${kind ?? 'nothing'}`)
  return { kind: kind as Kind, record: line[kind] }
}

function add(set: Set<string>, what: string, name: string): void {
  if (set.has(name)) throw new Wrong(`there are two ${what} ${name}`)
  set.add(name)
}

/** A moment can look like one and not be in the calendar. */
function checkMoments(record: Record<string, unknown>): void {
  for (const [field, value] of Object.entries(record)) {
    if (Array.isArray(value))
      for (const one of value) if (one && typeof one === 'object') checkMoments(one)
    const isDate = /(_at|_date)$/.test(field) && typeof value === 'string'
    if (isDate && Number.isNaN(Date.parse(value)))
      throw new Wrong(`${field} is not in the calendar: ${value}`)
  }
}

interface Board {
  sections: number
  labels: Set<string>
  next: number
}

/** Names something that may come in a later line. */
interface Reference {
  line: number
  to: 'boards' | 'tickets'
  name: string
}

/** What was read so far, as far as other lines may refer to it. */
export class Seen {
  readonly counts = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>
  readonly people = new Set<string>()
  team: RecordOf<'team'> | undefined
  private owners = 0
  private readonly agents = new Set<string>()
  private readonly boards = new Map<string, Board>()
  private readonly tickets = new Set<string>()
  private readonly numbers = new Set<string>()
  private readonly versions = new Set<string>()
  private readonly parents = new Map<string, string>()
  private readonly references: Reference[] = []
  private place = 0
  private line = 0

  private readonly takers: { [K in Kind]: (record: RecordOf<K>) => void } = {
    team: (team) => this.begin(team),
    person: (person) => this.person(person),
    agent: (agent) => this.agent(agent),
    board: (board) => this.board(board),
    task: (task) => this.task(task),
    version: (version) => this.version(version),
  }

  take(line: Line, number: number): void {
    const { kind, record } = recordIn(line)
    validate(records[kind], record)
    checkMoments(record as Record<string, unknown>)
    this.line = number
    const place = KINDS.indexOf(kind)
    // A task and the texts it had take turns.
    if (place < this.place && kind !== 'task') throw new Wrong(`a ${kind} comes too late`)
    if (kind !== 'team' && !this.team) throw new Wrong('the team has to come first')
    this.place = place
    this.counts[kind]++
    this.takers[kind](record as never)
  }

  finish(): void {
    if (!this.team) throw new Wrong('there is no team in it')
    if (!this.owners) throw new Wrong('the team has no owner')
    for (const { line, to, name } of this.references)
      if (!this[to].has(name)) throw new Wrong(`${name} is named, but is not in the file`, line)
    for (const ticket of this.parents.keys()) this.refuseCircle(ticket)
  }

  private begin(team: RecordOf<'team'>): void {
    if (this.team) throw new Wrong('there are two teams in it')
    this.team = team
  }

  private person({ email, role, joined_at, default_board }: RecordOf<'person'>): void {
    if (email !== email.toLowerCase()) throw new Wrong(`the e-mail ${email} is not in lower case`)
    add(this.people, 'people', email)
    if ((role === null) !== (joined_at === null))
      throw new Wrong(`${email} has one of role and joined_at without the other`)
    if (role === 'owner') this.owners++
    if (default_board !== null) this.refer('boards', default_board)
  }

  private agent({ agent_id, owner, boards }: RecordOf<'agent'>): void {
    add(this.agents, 'agents', agentName(agent_id))
    this.known(owner)
    for (const key of boards ?? []) this.refer('boards', key)
  }

  private board({ key, sections, members, created_by, ...rest }: RecordOf<'board'>): void {
    if (this.boards.has(key)) throw new Wrong(`there are two boards ${key}`)
    const labels = new Set<string>()
    for (const { name } of rest.labels) add(labels, 'labels', name.toLowerCase())
    this.boards.set(key, { sections: sections.length, labels, next: rest.next_number })
    const invited = new Set<string>()
    for (const { who } of members) add(invited, 'invitations of', who)
    const assigned = sections.flatMap(({ auto_assign }) => auto_assign ?? [])
    for (const who of [created_by, ...invited, ...assigned]) this.known(who)
  }

  private task(task: RecordOf<'task'>): void {
    const { ticket_number: ticket, unique_index, parent, labels, assignees } = task
    const board = this.boards.get(task.board)
    if (!board) throw new Wrong(`${ticket} is on the board ${task.board}, which is not there`)
    for (const one of [ticket, ...task.former_tickets]) add(this.tickets, 'tasks known as', one)
    add(this.numbers, 'tasks with the number', `${task.board} ${unique_index}`)
    if (unique_index >= board.next)
      throw new Wrong(`${ticket} has a number that its board has yet to give`)
    if (task.section >= board.sections)
      throw new Wrong(`${ticket} is in column ${task.section}, which its board has not`)
    const strange = labels.find((name) => !board.labels.has(name.toLowerCase()))
    if (strange) throw new Wrong(`${ticket} has the label ${strange}, which its board has not`)
    if (new Set([...labels, ...assignees]).size < labels.length + assignees.length)
      throw new Wrong(`${ticket} names a label or somebody twice`)
    for (const who of [task.created_by, ...assignees]) this.known(who)
    if (parent === null) return
    this.parents.set(ticket, parent)
    this.refer('tickets', parent)
  }

  private version({ task, version, author }: RecordOf<'version'>): void {
    if (!this.tickets.has(task)) throw new Wrong(`a text of ${task} comes before its task`)
    add(this.versions, 'texts', `${task} ${version}`)
    this.known(author)
  }

  private refer(to: Reference['to'], name: string): void {
    this.references.push({ line: this.line, to, name })
  }

  private known(who: string): void {
    if (!this.people.has(who) && !this.agents.has(who))
      throw new Wrong(`nobody in the file is ${who}`)
  }

  private refuseCircle(ticket: string): void {
    const above = new Set([ticket])
    for (let one = this.parents.get(ticket); one; one = this.parents.get(one)) {
      if (above.has(one)) throw new Wrong(`${ticket} is its own sub-task in the end`)
      above.add(one)
    }
  }
}
