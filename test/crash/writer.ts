import { parseJson } from '../support/json.ts'
import type { Random } from './random.ts'

export const LABELS = ['red', 'green', 'blue'] as const

export interface Board {
  project_id: number
  sections: number[]
}

/** The part of a task that writers change. */
export interface State {
  title: string
  priority: number
  description: string | null
  description_version: number
  project_id: number
  section_id: number
  status: string
  labels: string
}

/** What a writer knows of one of its tasks. */
export interface KnownTask {
  task_id: number
  ticket_number: string
  state: State
  /** Writes that were acknowledged; each left one entry in the change log. */
  writes: number
  /** A write that was sent, and never answered. */
  pending?: Partial<State>
}

interface TaskCreate {
  key: string
  body: Record<string, unknown>
  state: State
}

/**
 * The server that requests go to. Once it is killed, or has said that it is about to end, nobody
 * sends it another request, and missing responses are expected.
 */
export interface Target {
  url: string
  secret: string
  team_id: number
  isEnding: boolean
}

interface ApiResponse {
  status: number
  body: { data: { task_id: number; ticket_number: string; [field: string]: unknown } }
}

/**
 * A client that writes without pause and remembers what was acknowledged. No other client changes
 * its tasks, so it knows the exact state that each of them must have.
 */
export class Writer {
  readonly tasks = new Map<number, KnownTask>()
  /** Tasks that were changed since the last audit. */
  readonly changedTasks = new Set<KnownTask>()
  /** Creates that were never answered. */
  unansweredCreates: TaskCreate[] = []
  acknowledged = 0
  refusals = 0
  closeHeaders = 0
  /** Responses that a correct server never gives. */
  readonly errors: string[] = []
  private counter = 0
  private lastCreate: { request: TaskCreate; task_id: number } | undefined

  constructor(
    private readonly name: string,
    private readonly random: Random,
    private readonly boards: readonly Board[],
  ) {}

  async run(target: Target): Promise<void> {
    while (!target.isEnding) {
      const task = this.random.onceIn(2) ? this.pickRecentTask() : undefined
      if (this.random.onceIn(40)) await this.createInvalidBoard(target)
      else if (task) await this.change(target, task)
      else await this.create(target, this.draftCreate())
    }
  }

  /** Repeats the unanswered creates and one that was answered: none may create a second task. */
  async retry(target: Target): Promise<KnownTask[]> {
    const repeated = this.lastCreate && (await this.post(target, this.lastCreate.request))
    if (repeated && repeated.body.data?.task_id !== this.lastCreate!.task_id)
      this.errors.push(
        `${this.lastCreate!.request.key} was answered with ${JSON.stringify(repeated.body)}`,
      )
    const createdTasks: KnownTask[] = []
    for (const request of this.unansweredCreates.splice(0)) {
      const task = await this.create(target, request)
      if (task) createdTasks.push(task)
    }
    return createdTasks
  }

  /** Accepts the state in which a task was found. */
  acceptState(task: KnownTask, state: State, writes: number): void {
    task.state = state
    task.writes = writes
    task.pending = undefined
  }

  private pickRecentTask(): KnownTask | undefined {
    const recent = [...this.tasks.values()].slice(-20)
    return recent.length ? this.random.pick(recent) : undefined
  }

  private draftCreate(): TaskCreate {
    const { project_id, sections } = this.random.pick(this.boards)
    const title = `${this.name} task ${++this.counter}`
    const section_id = this.random.pick(sections)
    const hasDescription = this.random.below(3) > 0
    const description = hasDescription ? `${title}: ${'x'.repeat(this.random.below(400))}` : null
    const labels = this.pickLabels()
    const priority = this.random.below(5)
    return {
      key: `key of ${title}`,
      body: {
        project_id,
        title,
        section_id,
        labels,
        priority,
        ...(description && { description }),
      },
      state: {
        ...{ title, priority, description, project_id, section_id },
        description_version: hasDescription ? 1 : 0,
        status: 'Normal',
        labels: labels.join(),
      },
    }
  }

  private async create(target: Target, request: TaskCreate): Promise<KnownTask | undefined> {
    const response = await this.post(target, request)
    if (!response) {
      this.unansweredCreates.push(request)
      return undefined
    }
    if (response.status !== 201) {
      this.errors.push(`create ${request.state.title}: ${response.status}`)
      return undefined
    }
    this.acknowledged++
    const { task_id, ticket_number } = response.body.data
    const task = { task_id, ticket_number, state: request.state, writes: 1 }
    this.tasks.set(task_id, task)
    this.lastCreate = { request, task_id }
    this.changedTasks.add(task)
    return task
  }

  private post = (target: Target, { key, body }: TaskCreate) =>
    this.send(target, 'POST', '/api/v1/tasks', body, { 'idempotency-key': key })

  private async change(target: Target, task: KnownTask): Promise<void> {
    const isMove = this.random.onceIn(10)
    const [patch, method, path, body] = isMove ? this.draftMove(task) : this.draftUpdate(task)
    this.changedTasks.add(task)
    task.pending = patch
    const response = await this.send(target, method, `/api/v1/tasks/${task.task_id}${path}`, body)
    if (!response) return
    if (response.status !== 200) {
      this.errors.push(`${method} ${task.ticket_number}${path}: ${response.status}`)
      return
    }
    this.acknowledged++
    task.ticket_number = response.body.data.ticket_number
    this.acceptState(task, { ...task.state, ...patch }, task.writes + 1)
    if (this.random.onceIn(8)) await this.readBack(target, task)
  }

  async readBackOne(target: Target): Promise<void> {
    const task = this.pickRecentTask()
    if (task) await this.readBack(target, task)
  }

  /** An acknowledged write must be readable at once. */
  private async readBack(
    target: Target,
    { task_id, ticket_number, state }: KnownTask,
  ): Promise<void> {
    const response = await this.send(target, 'GET', `/api/v1/tasks/${task_id}`)
    if (!response) return
    const { data } = response.body as { data?: Record<string, unknown> }
    const labels = (data?.labels as { name: string }[] | undefined)?.map(({ name }) => name)
    const actual = { ...data, labels: labels?.toSorted().join() }
    const expected: Record<string, unknown> = { ...state, ticket_number }
    const stale = Object.keys(expected).filter((name) => actual[name as never] !== expected[name])
    if (stale.length)
      this.errors.push(`${ticket_number} is read with another ${stale.join(', ')} than was written`)
  }

  private draftMove({ state }: KnownTask) {
    const otherBoard = this.boards.find(({ project_id }) => project_id !== state.project_id)!
    const { project_id } = otherBoard
    const section_id = this.random.pick(otherBoard.sections)
    const body = { target_project_id: project_id, target_section_id: section_id }
    return [{ project_id, section_id }, 'POST', '/move', body] as const
  }

  /** Changes several columns and two other tables, so that a half-done write would show. */
  private draftUpdate({ state }: KnownTask) {
    const board = this.boards.find(({ project_id }) => project_id === state.project_id)!
    const title = `${state.title.split(' (')[0]} (${++this.counter})`
    const labels = this.pickLabels()
    const patch: Partial<State> = { title, labels: labels.join(), priority: this.random.below(5) }
    if (this.random.onceIn(2)) patch.section_id = this.random.pick(board.sections)
    if (this.random.onceIn(4)) patch.status = state.status === 'Normal' ? 'Archive' : 'Normal'
    if (this.random.onceIn(2)) {
      patch.description = `${title} is described again`
      patch.description_version = state.description_version + 1
    }
    const { description_version: _, ...fields } = patch
    return [patch, 'PATCH', '', { ...fields, labels }] as const
  }

  /** Creates a board whose last task is invalid, so everything before it must be rolled back. */
  private async createInvalidBoard(target: Target): Promise<void> {
    const title = `refused ${this.name} ${++this.counter}`
    const sections = [{ title: 'To do' }, { title: 'Done' }]
    const tasks = [
      { title, section_index: 0, description: title },
      { title, section_index: 7 },
    ]
    const { team_id } = target
    const body = { team_id, title, sections, tasks }
    const response = await this.send(target, 'POST', '/api/v1/projects', body)
    if (!response) return
    if (response.status !== 400) this.errors.push(`${title}: ${response.status}`)
    this.refusals++
  }

  private pickLabels() {
    return LABELS.filter(() => this.random.onceIn(2)).toSorted()
  }

  /** Undefined if there was no response, which is an error unless the server was killed. */
  private async send(
    target: Target,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse | undefined> {
    const authorization = `Bearer ${target.secret}`
    try {
      const response = await fetch(target.url + path, {
        method,
        headers: { authorization, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (response.headers.get('connection') === 'close') {
        this.closeHeaders++
        target.isEnding = true
      }
      return { status: response.status, body: parseJson(await response.text()) }
    } catch (error) {
      if (!target.isEnding) this.errors.push(`${method} ${path}: ${(error as Error).message}`)
      return undefined
    }
  }
}
