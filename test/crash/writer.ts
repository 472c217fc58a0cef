import { parse } from '../json.ts'
import type { Chance } from './chance.ts'

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
export interface Known {
  task_id: number
  ticket_number: string
  state: State
  /** Writes that were acknowledged; each left one entry in the change log. */
  writes: number
  /** A write that was sent, and never answered. */
  pending?: Partial<State>
}

interface Birth {
  key: string
  body: Record<string, unknown>
  state: State
}

/** The server that requests go to; once it is killed, missing responses are expected. */
export interface Target {
  url: string
  secret: string
  team_id: number
  killed: boolean
}

interface Answer {
  status: number
  body: { data: { task_id: number; ticket_number: string; [field: string]: unknown } }
}

/**
 * A client that writes without pause and remembers what was acknowledged. No other client changes
 * its tasks, so it knows the exact state that each of them must have.
 */
export class Writer {
  readonly tasks = new Map<number, Known>()
  /** Tasks that were changed since the last audit. */
  readonly touched = new Set<Known>()
  /** Creates that were never answered. */
  unborn: Birth[] = []
  acknowledged = 0
  refused = 0
  farewells = 0
  /** Responses that a correct server never gives. */
  readonly wrong: string[] = []
  private made = 0
  private newest: { birth: Birth; task_id: number } | undefined

  constructor(
    private readonly name: string,
    private readonly chance: Chance,
    private readonly boards: readonly Board[],
  ) {}

  async work(target: Target): Promise<void> {
    while (!target.killed) {
      const task = this.chance.onceIn(2) ? this.pick() : undefined
      if (this.chance.onceIn(40)) await this.blunder(target)
      else if (task) await this.change(target, task)
      else await this.bear(target, this.draft())
    }
  }

  /** Repeats the unanswered creates and one that was answered: none may create a second task. */
  async retry(target: Target): Promise<Known[]> {
    const again = this.newest && (await this.post(target, this.newest.birth))
    if (again && again.body.data?.task_id !== this.newest!.task_id)
      this.wrong.push(`${this.newest!.birth.key} was answered with ${JSON.stringify(again.body)}`)
    const found: Known[] = []
    for (const birth of this.unborn.splice(0)) {
      const known = await this.bear(target, birth)
      if (known) found.push(known)
    }
    return found
  }

  /** Accepts the state in which a task was found. */
  settle(task: Known, state: State, writes: number): void {
    task.state = state
    task.writes = writes
    task.pending = undefined
  }

  private pick(): Known | undefined {
    const recent = [...this.tasks.values()].slice(-20)
    return recent.length ? this.chance.of(recent) : undefined
  }

  private draft(): Birth {
    const { project_id, sections } = this.chance.of(this.boards)
    const title = `${this.name} task ${++this.made}`
    const section_id = this.chance.of(sections)
    const described = this.chance.below(3) > 0
    const description = described ? `${title}: ${'x'.repeat(this.chance.below(400))}` : null
    const labels = this.labels()
    const priority = this.chance.below(5)
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
        description_version: described ? 1 : 0,
        status: 'Normal',
        labels: labels.join(),
      },
    }
  }

  private async bear(target: Target, birth: Birth): Promise<Known | undefined> {
    const answer = await this.post(target, birth)
    if (!answer) {
      this.unborn.push(birth)
      return undefined
    }
    if (answer.status !== 201) {
      this.wrong.push(`create ${birth.state.title}: ${answer.status}`)
      return undefined
    }
    this.acknowledged++
    const { task_id, ticket_number } = answer.body.data
    const known = { task_id, ticket_number, state: birth.state, writes: 1 }
    this.tasks.set(task_id, known)
    this.newest = { birth, task_id }
    this.touched.add(known)
    return known
  }

  private post = (target: Target, { key, body }: Birth) =>
    this.send(target, 'POST', '/api/v1/tasks', body, { 'idempotency-key': key })

  private async change(target: Target, task: Known): Promise<void> {
    const leaves = this.chance.onceIn(10)
    const [patch, method, path, body] = leaves ? this.move(task) : this.revise(task)
    this.touched.add(task)
    task.pending = patch
    const answer = await this.send(target, method, `/api/v1/tasks/${task.task_id}${path}`, body)
    if (!answer) return
    if (answer.status !== 200) {
      this.wrong.push(`${method} ${task.ticket_number}${path}: ${answer.status}`)
      return
    }
    this.acknowledged++
    task.ticket_number = answer.body.data.ticket_number
    this.settle(task, { ...task.state, ...patch }, task.writes + 1)
    if (this.chance.onceIn(8)) await this.look(target, task)
  }

  async lookAtOne(target: Target): Promise<void> {
    const task = this.pick()
    if (task) await this.look(target, task)
  }

  /** An acknowledged write must be readable at once. */
  private async look(target: Target, { task_id, ticket_number, state }: Known): Promise<void> {
    const answer = await this.send(target, 'GET', `/api/v1/tasks/${task_id}`)
    if (!answer) return
    const { data } = answer.body as { data?: Record<string, unknown> }
    const labels = (data?.labels as { name: string }[] | undefined)?.map(({ name }) => name)
    const read = { ...data, labels: labels?.toSorted().join() }
    const expected: Record<string, unknown> = { ...state, ticket_number }
    const stale = Object.keys(expected).filter((name) => read[name as never] !== expected[name])
    if (stale.length)
      this.wrong.push(`${ticket_number} is read with another ${stale.join(', ')} than was written`)
  }

  private move({ state }: Known) {
    const there = this.boards.find(({ project_id }) => project_id !== state.project_id)!
    const { project_id } = there
    const section_id = this.chance.of(there.sections)
    const body = { target_project_id: project_id, target_section_id: section_id }
    return [{ project_id, section_id }, 'POST', '/move', body] as const
  }

  /** Changes several columns and two other tables, so that a half-done write would show. */
  private revise({ state }: Known) {
    const board = this.boards.find(({ project_id }) => project_id === state.project_id)!
    const title = `${state.title.split(' (')[0]} (${++this.made})`
    const labels = this.labels()
    const patch: Partial<State> = { title, labels: labels.join(), priority: this.chance.below(5) }
    if (this.chance.onceIn(2)) patch.section_id = this.chance.of(board.sections)
    if (this.chance.onceIn(4)) patch.status = state.status === 'Normal' ? 'Archive' : 'Normal'
    if (this.chance.onceIn(2)) {
      patch.description = `${title} is described anew`
      patch.description_version = state.description_version + 1
    }
    const { description_version: _, ...sent } = patch
    return [patch, 'PATCH', '', { ...sent, labels }] as const
  }

  /** Creates a board whose last task is invalid, so everything before it must be rolled back. */
  private async blunder(target: Target): Promise<void> {
    const title = `refused ${this.name} ${++this.made}`
    const sections = [{ title: 'To do' }, { title: 'Done' }]
    const tasks = [
      { title, section_index: 0, description: title },
      { title, section_index: 7 },
    ]
    const { team_id } = target
    const body = { team_id, title, sections, tasks }
    const answer = await this.send(target, 'POST', '/api/v1/projects', body)
    if (!answer) return
    if (answer.status !== 400) this.wrong.push(`${title}: ${answer.status}`)
    this.refused++
  }

  private labels() {
    return LABELS.filter(() => this.chance.onceIn(2)).toSorted()
  }

  /** Undefined if there was no response, which is an error unless the server was killed. */
  private async send(
    target: Target,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer | undefined> {
    const authorization = `Bearer ${target.secret}`
    try {
      const response = await fetch(target.url + path, {
        method,
        headers: { authorization, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (response.headers.get('connection') === 'close') this.farewells++
      return { status: response.status, body: parse(await response.text()) }
    } catch (error) {
      if (!target.killed) this.wrong.push(`${method} ${path}: ${(error as Error).message}`)
      return undefined
    }
  }
}
