import { foldName } from '../../features/projects/index.ts'
import { validate } from '../../kernel/validate.ts'
import { verifiedBytes } from '../files.ts'
import type { Line } from '../lines.ts'
import { agentName } from '../participants.ts'
import { KINDS, type Kind, type RecordOf, records } from '../schema.ts'
import {
  addUnique,
  checkMoments,
  InvalidRecord,
  isCyclic,
  parseRecord,
  type Reference,
} from './record.ts'
import { checkDecision } from './validate-decision.ts'
import { PageValidator } from './validate-pages.ts'
import { type Board, PlanningValidator } from './validate-planning.ts'

/** Validates the lines of a file in order. Keeps what later lines may refer to. */
export class Validator {
  readonly counts = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>
  readonly people = new Set<string>()
  team: RecordOf<'team'> | undefined
  private owners = 0
  private readonly agents = new Set<string>()
  private readonly boards = new Map<string, Board>()
  private readonly tickets = new Set<string>()
  private readonly taskNumbers = new Set<string>()
  private readonly versions = new Set<string>()
  private readonly parents = new Map<string, string>()
  private readonly references: Reference[] = []
  private readonly urls = new Set<string>()
  private readonly relations = new Set<string>()
  private readonly files = new Set<string>()
  private readonly reports = new Set<string>()
  private readonly pages = new PageValidator()
  private readonly plans = new PlanningValidator({
    boards: this.boards,
    checkActor: (who) => this.checkActor(who),
    checkTicket: (name) => this.addReference('tickets', name),
  })
  /** The last read task, and the number of its comments and attachments so far. */
  private currentTask = ''
  private commentCount = 0
  private attachmentCount = 0
  private kindIndex = 0
  private line = 0

  private readonly validators: { [K in Kind]: (record: RecordOf<K>) => void } = {
    team: (team) => this.startTeam(team),
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
    escalation: (escalation) => this.escalation(escalation),
    page: (page) => this.page(page),
    page_version: (version) => this.pageVersion(version),
    time_entry: (entry) => this.time(entry),
    relation: (relation) => this.relation(relation),
    my_view: (view) => this.plans.view(view),
    file: (file) => this.file(file),
  }

  validateLine(line: Line, number: number): void {
    const { kind, record } = parseRecord(line)
    validate(records[kind], record)
    checkMoments(record as Record<string, unknown>)
    this.line = number
    const kindIndex = KINDS.indexOf(kind)
    // Kinds come in the order of KINDS, but each task is followed by its own children.
    if (kindIndex < this.kindIndex && kind !== 'task')
      throw new InvalidRecord(`a ${kind} is out of order`)
    if (kind !== 'team' && !this.team) throw new InvalidRecord('the team must come first')
    this.kindIndex = kindIndex
    this.counts[kind]++
    this.validators[kind](record as never)
  }

  finish(): void {
    if (!this.team) throw new InvalidRecord('it contains no team')
    if (!this.owners) throw new InvalidRecord('the team has no owner')
    for (const { line, to, name } of this.references)
      if (!this[to].has(name))
        throw new InvalidRecord(`${name} is referenced, but is not in the file`, line)
    for (const ticket of this.parents.keys())
      if (isCyclic(this.parents, ticket)) throw new InvalidRecord(`${ticket} is its own subtask`)
    this.pages.finish()
  }

  private startTeam(team: RecordOf<'team'>): void {
    if (this.team) throw new InvalidRecord('it contains two teams')
    this.team = team
  }

  private person({ email, role, joined_at, default_board }: RecordOf<'person'>): void {
    if (email !== email.toLowerCase())
      throw new InvalidRecord(`the email ${email} is not in lower case`)
    addUnique(this.people, 'people', email)
    if ((role === null) !== (joined_at === null))
      throw new InvalidRecord(`${email} must have role and joined_at together`)
    if (role === 'owner') this.owners++
    if (default_board !== null) this.addReference('boards', default_board)
  }

  private agent({ agent_id, owner, boards }: RecordOf<'agent'>): void {
    addUnique(this.agents, 'agents', agentName(agent_id))
    this.checkActor(owner)
    for (const key of boards ?? []) this.addReference('boards', key)
  }

  private board({ key, sections, members, created_by, ...rest }: RecordOf<'board'>): void {
    if (this.boards.has(key)) throw new InvalidRecord(`there are two boards ${key}`)
    const labels = new Set<string>()
    for (const { name } of rest.labels) addUnique(labels, 'labels', name.toLowerCase())
    const fields = new Set<string>()
    for (const { name } of rest.fields) addUnique(fields, 'custom fields', foldName(name))
    this.boards.set(key, { sections: sections.length, labels, fields, next: rest.next_number })
    const invitees = new Set<string>()
    for (const { who } of members) addUnique(invitees, 'invitations of', who)
    const autoAssigned = sections.flatMap(({ auto_assign }) => auto_assign ?? [])
    const creators = rest.fields.map((field) => field.created_by)
    for (const who of [created_by, ...invitees, ...autoAssigned, ...creators]) this.checkActor(who)
  }

  private task(task: RecordOf<'task'>): void {
    const { ticket_number: ticket, unique_index, parent, labels, assignees } = task
    const board = this.boards.get(task.board)
    if (!board)
      throw new InvalidRecord(`${ticket} is on the board ${task.board}, which does not exist`)
    for (const key of [ticket, ...task.former_tickets])
      addUnique(this.tickets, 'tasks known as', key)
    addUnique(this.taskNumbers, 'tasks with the number', `${task.board} ${unique_index}`)
    if (unique_index >= board.next)
      throw new InvalidRecord(`${ticket} has a number that its board has not assigned yet`)
    if (task.section >= board.sections)
      throw new InvalidRecord(
        `${ticket} is in column ${task.section}, which its board does not have`,
      )
    const unknownLabel = labels.find((name) => !board.labels.has(name.toLowerCase()))
    if (unknownLabel)
      throw new InvalidRecord(
        `${ticket} has the label ${unknownLabel}, which its board does not have`,
      )
    if (new Set([...labels, ...assignees]).size < labels.length + assignees.length)
      throw new InvalidRecord(`${ticket} has a label or person twice`)
    for (const who of [task.created_by, ...assignees]) this.checkActor(who)
    const unknownField = task.fields.find(({ name }) => !board.fields.has(foldName(name)))
    if (unknownField)
      throw new InvalidRecord(
        `${ticket} has the field ${unknownField.name}, which its board does not have`,
      )
    this.currentTask = ticket
    this.commentCount = 0
    this.attachmentCount = 0
    if (parent === null) return
    this.parents.set(ticket, parent)
    this.addReference('tickets', parent)
  }

  private version({ task, version, author }: RecordOf<'version'>): void {
    this.checkFollowsTask('a text', task, author)
    addUnique(this.versions, 'texts', `${task} ${version}`)
  }

  private comment({ task, author, reply_to, mentioned, reactions }: RecordOf<'comment'>): void {
    this.checkFollowsTask('a comment', task)
    if (reply_to !== null && reply_to > this.commentCount)
      throw new InvalidRecord(`a comment of ${task} replies to one that does not come before it`)
    this.commentCount++
    for (const who of [author, ...mentioned, ...reactions.map(({ who }) => who)])
      this.checkActor(who)
    const reactionKeys = reactions.map(({ emoji, who }) => `${emoji} ${who}`)
    if (
      new Set(reactionKeys).size < reactionKeys.length ||
      new Set(mentioned).size < mentioned.length
    )
      throw new InvalidRecord(`a comment of ${task} has a person or reaction twice`)
  }

  private attachment({ task, comment, sha256, created_by }: RecordOf<'attachment'>): void {
    this.checkFollowsTask('an attachment', task, created_by)
    if (comment !== null && comment > this.commentCount)
      throw new InvalidRecord(`an attachment of ${task} is on a comment that does not exist`)
    this.attachmentCount++
    this.addReference('files', sha256)
  }

  private file(file: RecordOf<'file'>): void {
    addUnique(this.files, 'files', file.sha256)
    const bytes = verifiedBytes(file)
    if (typeof bytes === 'string') throw new InvalidRecord(bytes)
  }

  private decision(decision: RecordOf<'decision'>): void {
    const { task, asked, created_by, closed_by } = decision
    this.checkFollowsTask('a decision', task, created_by, ...asked, closed_by ?? created_by)
    checkDecision(decision)
  }

  private pullRequest({ task, url, created_by }: RecordOf<'pull_request'>): void {
    this.checkFollowsTask('a pull request', task, created_by)
    addUnique(this.urls, 'pull requests', `${task} ${url}`)
  }

  private evidence({ task, attachment, created_by }: RecordOf<'evidence'>): void {
    this.checkFollowsTask('evidence', task, created_by)
    if (attachment !== null && attachment > this.attachmentCount)
      throw new InvalidRecord(`evidence of ${task} is a file that does not exist`)
  }

  private escalation({ task, to, created_by, resolved_by, ...own }: RecordOf<'escalation'>): void {
    this.checkFollowsTask('an escalation', task, to, created_by, resolved_by ?? to)
    if ((resolved_by === null) !== (own.resolved_at === null))
      throw new InvalidRecord(
        `an escalation of ${task} must have resolved_by and resolved_at together`,
      )
  }

  private page(page: RecordOf<'page'>): void {
    this.checkFollowsTask('a page', page.task, page.created_by, page.updated_by)
    this.pages.page(page)
  }

  private time(entry: RecordOf<'time_entry'>): void {
    this.checkFollowsTask('time', entry.task, entry.who)
    this.plans.time(entry)
  }

  private pageVersion(version: RecordOf<'page_version'>): void {
    this.checkFollowsTask('a version', version.task, version.author)
    this.pages.version(version)
  }

  private relation({ kind, first, second, created_by }: RecordOf<'relation'>): void {
    for (const ticket of [first, second]) this.addReference('tickets', ticket)
    if (first === second) throw new InvalidRecord(`${first} is related to itself`)
    const tickets = kind === 'related' ? [first, second].sort() : [first, second]
    addUnique(this.relations, 'ties', `${tickets.join(' ')} ${kind}`)
    this.checkActor(created_by)
  }

  private report({ board, slug, created_by }: RecordOf<'report'>): void {
    if (!this.boards.has(board))
      throw new InvalidRecord(`a report belongs to ${board}, which does not exist`)
    addUnique(this.reports, 'reports', `${board} ${slug}`)
    this.checkActor(created_by)
  }

  /** A child must follow the line of its task, and the people it names must be in the file. */
  private checkFollowsTask(what: string, task: string, ...who: string[]): void {
    if (task !== this.currentTask)
      throw new InvalidRecord(`${what} of ${task} does not follow its task`)
    for (const name of who) this.checkActor(name)
  }

  private addReference(to: Reference['to'], name: string): void {
    this.references.push({ line: this.line, to, name })
  }

  private checkActor(who: string): void {
    if (!this.people.has(who) && !this.agents.has(who))
      throw new InvalidRecord(`${who} is not in the file`)
  }
}
