import { folded } from '../features/projects/index.ts'
import { validate } from '../kernel/validate.ts'
import { bytesIn } from './files.ts'
import type { Line } from './lines.ts'
import { agentName } from './names.ts'
import { addOnce, checkMoments, isInCircle, type Reference, recordIn, Wrong } from './record.ts'
import { KINDS, type Kind, type RecordOf, records } from './schema.ts'
import { SeenPages } from './seen-pages.ts'
import { type Board, SeenPlans } from './seen-plans.ts'
import { checkDecision } from './seen-talk.ts'

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
  private readonly urls = new Set<string>()
  private readonly relations = new Set<string>()
  private readonly files = new Set<string>()
  private readonly reports = new Set<string>()
  private readonly pages = new SeenPages()
  private readonly plans = new SeenPlans({
    boards: this.boards,
    known: (who) => this.known(who),
    ticket: (name) => this.refer('tickets', name),
  })
  /** The task that came last, and how many comments and attachments of it. */
  private last = ''
  private comments = 0
  private attachments = 0
  private place = 0
  private line = 0

  private readonly takers: { [K in Kind]: (record: RecordOf<K>) => void } = {
    team: (team) => this.begin(team),
    person: (person) => this.person(person),
    agent: (agent) => this.agent(agent),
    board: (board) => this.board(board),
    task: (task) => this.task(task),
    report: (report) => this.report(report),
    template: (template) => this.plans.template(template),
    skill: (skill) => this.plans.skill(skill),
    version: (version) => this.version(version),
    comment: (comment) => this.comment(comment),
    attachment: (attachment) => this.attachment(attachment),
    decision: (decision) => this.decision(decision),
    pull_request: (request) => this.pullRequest(request),
    evidence: (evidence) => this.evidence(evidence),
    escalation: (call) => this.escalation(call),
    page: (page) => this.page(page),
    page_version: (version) => this.pageVersion(version),
    time_entry: (entry) => this.time(entry),
    relation: (relation) => this.relation(relation),
    my_view: (view) => this.plans.view(view),
    file: (file) => this.file(file),
  }

  take(line: Line, number: number): void {
    const { kind, record } = recordIn(line)
    validate(records[kind], record)
    checkMoments(record as Record<string, unknown>)
    this.line = number
    const place = KINDS.indexOf(kind)
    // Tasks and what hangs on them take turns.
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
    for (const ticket of this.parents.keys())
      if (isInCircle(this.parents, ticket))
        throw new Wrong(`${ticket} is its own sub-task in the end`)
    this.pages.finish()
  }

  private begin(team: RecordOf<'team'>): void {
    if (this.team) throw new Wrong('there are two teams in it')
    this.team = team
  }

  private person({ email, role, joined_at, default_board }: RecordOf<'person'>): void {
    if (email !== email.toLowerCase()) throw new Wrong(`the e-mail ${email} is not in lower case`)
    addOnce(this.people, 'people', email)
    if ((role === null) !== (joined_at === null))
      throw new Wrong(`${email} has one of role and joined_at without the other`)
    if (role === 'owner') this.owners++
    if (default_board !== null) this.refer('boards', default_board)
  }

  private agent({ agent_id, owner, boards }: RecordOf<'agent'>): void {
    addOnce(this.agents, 'agents', agentName(agent_id))
    this.known(owner)
    for (const key of boards ?? []) this.refer('boards', key)
  }

  private board({ key, sections, members, created_by, ...rest }: RecordOf<'board'>): void {
    if (this.boards.has(key)) throw new Wrong(`there are two boards ${key}`)
    const labels = new Set<string>()
    for (const { name } of rest.labels) addOnce(labels, 'labels', name.toLowerCase())
    const fields = new Set<string>()
    for (const { name } of rest.fields) addOnce(fields, 'custom fields', folded(name))
    this.boards.set(key, { sections: sections.length, labels, fields, next: rest.next_number })
    const invited = new Set<string>()
    for (const { who } of members) addOnce(invited, 'invitations of', who)
    const assigned = sections.flatMap(({ auto_assign }) => auto_assign ?? [])
    const makers = rest.fields.map((field) => field.created_by)
    for (const who of [created_by, ...invited, ...assigned, ...makers]) this.known(who)
  }

  private task(task: RecordOf<'task'>): void {
    const { ticket_number: ticket, unique_index, parent, labels, assignees } = task
    const board = this.boards.get(task.board)
    if (!board) throw new Wrong(`${ticket} is on the board ${task.board}, which is not there`)
    for (const one of [ticket, ...task.former_tickets]) addOnce(this.tickets, 'tasks known as', one)
    addOnce(this.numbers, 'tasks with the number', `${task.board} ${unique_index}`)
    if (unique_index >= board.next)
      throw new Wrong(`${ticket} has a number that its board has yet to give`)
    if (task.section >= board.sections)
      throw new Wrong(`${ticket} is in column ${task.section}, which its board has not`)
    const strange = labels.find((name) => !board.labels.has(name.toLowerCase()))
    if (strange) throw new Wrong(`${ticket} has the label ${strange}, which its board has not`)
    if (new Set([...labels, ...assignees]).size < labels.length + assignees.length)
      throw new Wrong(`${ticket} names a label or somebody twice`)
    for (const who of [task.created_by, ...assignees]) this.known(who)
    const lacking = task.fields.find(({ name }) => !board.fields.has(folded(name)))
    if (lacking) throw new Wrong(`${ticket} has the field ${lacking.name}, which its board has not`)
    this.last = ticket
    this.comments = 0
    this.attachments = 0
    if (parent === null) return
    this.parents.set(ticket, parent)
    this.refer('tickets', parent)
  }

  private version({ task, version, author }: RecordOf<'version'>): void {
    this.hangs('a text', task, author)
    addOnce(this.versions, 'texts', `${task} ${version}`)
  }

  private comment({ task, author, reply_to, mentioned, reactions }: RecordOf<'comment'>): void {
    this.hangs('a comment', task)
    if (reply_to !== null && reply_to > this.comments)
      throw new Wrong(`a comment of ${task} answers one that does not come before it`)
    this.comments++
    for (const who of [author, ...mentioned, ...reactions.map(({ who }) => who)]) this.known(who)
    const felt = reactions.map(({ emoji, who }) => `${emoji} ${who}`)
    if (new Set(felt).size < felt.length || new Set(mentioned).size < mentioned.length)
      throw new Wrong(`a comment of ${task} has somebody or a reaction twice`)
  }

  private attachment({ task, comment, sha256, created_by }: RecordOf<'attachment'>): void {
    this.hangs('an attachment', task, created_by)
    if (comment !== null && comment > this.comments)
      throw new Wrong(`an attachment of ${task} is on a comment that is not there`)
    this.attachments++
    this.refer('files', sha256)
  }

  private file(file: RecordOf<'file'>): void {
    addOnce(this.files, 'files', file.sha256)
    const wrong = bytesIn(file)
    if (typeof wrong === 'string') throw new Wrong(wrong)
  }

  private decision(decision: RecordOf<'decision'>): void {
    const { task, asked, created_by, closed_by } = decision
    this.hangs('a decision', task, created_by, ...asked, closed_by ?? created_by)
    checkDecision(decision)
  }

  private pullRequest({ task, url, created_by }: RecordOf<'pull_request'>): void {
    this.hangs('a pull request', task, created_by)
    addOnce(this.urls, 'pull requests', `${task} ${url}`)
  }

  private evidence({ task, attachment, created_by }: RecordOf<'evidence'>): void {
    this.hangs('evidence', task, created_by)
    if (attachment !== null && attachment > this.attachments)
      throw new Wrong(`evidence of ${task} is a file that is not there`)
  }

  private escalation({ task, to, created_by, resolved_by, ...own }: RecordOf<'escalation'>): void {
    this.hangs('an escalation', task, to, created_by, resolved_by ?? to)
    if ((resolved_by === null) !== (own.resolved_at === null))
      throw new Wrong(`an escalation of ${task} has one of resolved_by and resolved_at alone`)
  }

  private page(page: RecordOf<'page'>): void {
    this.hangs('a page', page.task, page.created_by, page.updated_by)
    this.pages.page(page)
  }

  private time(entry: RecordOf<'time_entry'>): void {
    this.hangs('time', entry.task, entry.who)
    this.plans.time(entry)
  }

  private pageVersion(version: RecordOf<'page_version'>): void {
    this.hangs('a version', version.task, version.author)
    this.pages.version(version)
  }

  private relation({ kind, first, second, created_by }: RecordOf<'relation'>): void {
    for (const ticket of [first, second]) this.refer('tickets', ticket)
    if (first === second) throw new Wrong(`${first} is tied to itself`)
    const ends = kind === 'related' ? [first, second].sort() : [first, second]
    addOnce(this.relations, 'ties', `${ends.join(' ')} ${kind}`)
    this.known(created_by)
  }

  private report({ board, slug, created_by }: RecordOf<'report'>): void {
    if (!this.boards.has(board)) throw new Wrong(`a report is of ${board}, which is not there`)
    addOnce(this.reports, 'reports', `${board} ${slug}`)
    this.known(created_by)
  }

  /** Whatever belongs to a task follows its line. */
  private hangs(what: string, task: string, ...who: string[]): void {
    if (task !== this.last) throw new Wrong(`${what} of ${task} does not follow its task`)
    for (const one of who) this.known(one)
  }

  private refer(to: Reference['to'], name: string): void {
    this.references.push({ line: this.line, to, name })
  }

  private known(who: string): void {
    if (!this.people.has(who) && !this.agents.has(who))
      throw new Wrong(`nobody in the file is ${who}`)
  }
}
