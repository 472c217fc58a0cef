import type { Logger } from 'pino'
import { agentFor, callerFor } from '../features/identity/callers/model/index.ts'
import { actorsOf } from '../features/identity/people/model/index.ts'
import { loadPageWithText } from '../features/pages/pages/model/index.ts'
import {
  type TextRef,
  unsavedChanges,
  unsavedTexts,
} from '../features/tasks/shared_texts/model/index.ts'
import { save } from '../features/tasks/shared_texts/operations/index.ts'
import { taskById } from '../features/tasks/tasks/model/index.ts'
import type { Caller, Clock, Tx } from '../kernel/caller.ts'
import type { Dispatch } from '../kernel/dispatch.ts'
import { Fault } from '../kernel/fault.ts'
import type { Signal, Signals } from '../kernel/services.ts'
import { describeProblem } from '../store/errors.ts'
import type { OpenStore } from '../store/store.ts'

/** A text is saved after a pause, and at the latest this long after its first unsaved change. */
const PAUSE_MS = 2000
const MAX_UNSAVED_MS = 15_000
/** Looks for what another server accepted and could not save, because it crashed. */
const SWEEP_MS = 60_000

interface Options {
  store: Pick<OpenStore, 'read'>
  dispatch: Dispatch
  signals: Signals
  clock: Clock
  log: Logger
}

interface Waiting {
  ref: TextRef
  timer: ReturnType<typeof setTimeout>
  since: number
}

/** Saves shared texts when their authors pause: a version for each author. */
export class TextSaver {
  private readonly waiting = new Map<string, Waiting>()
  /** The texts that could not be saved, as their editors know. */
  private readonly refused = new Set<string>()
  private running: Promise<unknown> = Promise.resolve()

  constructor(private readonly options: Options) {}

  /** Saves every text with unsaved changes, as after a crash. */
  async saveAll(): Promise<void> {
    for (const ref of await this.options.store.read(unsavedTexts)) await this.save(ref)
  }

  /** Plans to save a text that has changed. */
  note({ type, data }: Signal): void {
    if (type !== 'text.changed') return
    const { team_id, kind, text_id } = data as unknown as TextRef
    const ref = { team_id, kind, text_id }
    const key = keyOf(ref)
    const before = this.waiting.get(key)
    clearTimeout(before?.timer)
    const since = before?.since ?? performance.now()
    const rest = Math.max(0, since + MAX_UNSAVED_MS - performance.now())
    const delay = data.is_leaving ? 0 : Math.min(PAUSE_MS, rest)
    const timer = setTimeout(() => {
      this.waiting.delete(key)
      this.running = this.running.then(() => this.save(ref))
    }, delay)
    this.waiting.set(key, { ref, timer, since })
  }

  /** Saves what waits. */
  async stop(): Promise<void> {
    for (const { timer } of this.waiting.values()) clearTimeout(timer)
    await this.running
    for (const { ref } of this.waiting.values()) await this.save(ref)
    this.waiting.clear()
  }

  /** Saves the changes of one author after the other. An error leaves them for the next sweep. */
  async save({ team_id, kind, text_id }: TextRef): Promise<void> {
    const input = { team_id, kind, text_id }
    try {
      await this.saveAuthors(input)
      if (this.refused.delete(keyOf(input))) await this.report(input)
    } catch (error) {
      if (error instanceof Fault && error.code === 'invalid') await this.refuse(input, error)
      else this.logError(input, error)
    }
  }

  private async saveAuthors(input: TextRef) {
    const { store, dispatch } = this.options
    let author: number | undefined = await this.firstAuthor(input)
    while (author !== undefined) {
      const caller = await store.read((tx) => authorOf(tx, input.team_id, author!))
      const { data } = await dispatch(caller, save, input)
      author = (data as { next_author?: number }).next_author
    }
  }
  /** The text itself is the reason, so only its editors can mend it. */
  private async refuse(ref: TextRef, { message, hint }: Fault) {
    this.refused.add(keyOf(ref))
    await this.report(ref, { message, hint })
  }

  /** Tells the editors of a text why it cannot be saved, or that it is saved again. */
  private async report(ref: TextRef, refusal?: Pick<Fault, 'message' | 'hint'>) {
    const { store, signals } = this.options
    const { team_id, kind, text_id } = ref
    try {
      const project_id = await store.read((tx) => projectOf(tx, ref))
      const data = { team_id, kind, text_id, refusal }
      signals.publish({ type: 'text.saved', project_id, data })
    } catch (error) {
      this.logError(ref, error)
    }
  }

  private logError(ref: TextRef, error: unknown) {
    this.options.log.error(
      { err: error, ...ref },
      `A text was not saved: ${describeProblem(error)}`,
    )
  }

  private async firstAuthor(ref: TextRef): Promise<number | undefined> {
    const rows = await this.options.store.read((tx) => unsavedChanges(tx, ref))
    return rows[0]?.author_id
  }
}

const keyOf = ({ kind, text_id }: TextRef) => `${kind} ${text_id}`

/** The board of a text. */
async function projectOf(tx: Tx, { kind, text_id }: TextRef): Promise<number> {
  const task_id = kind === 'task' ? text_id : (await loadPageWithText(tx, text_id)).page.task_id
  return (await taskById(tx, task_id))!.project_id
}

/**
 * The author of changes that were accepted. They are saved even if the author has lost access
 * since.
 */
async function authorOf(tx: Tx, team_id: number, actor_id: number): Promise<Caller> {
  const { kind, name } = (await actorsOf(tx, [actor_id])).get(actor_id)!
  const found = await (kind === 'person' ? callerFor(tx, actor_id) : agentFor(tx, actor_id))
  const base = found ?? { actor_id, name, person_id: actor_id, time_zone: 'UTC' }
  return {
    kind: kind === 'agent' ? 'agent' : 'person',
    ...base,
    teams: new Map([[team_id, 'member'], ...(found?.teams ?? [])]),
    scopes: new Set(['tasks:write', 'pages:write', 'tasks:read', 'pages:read']),
    credential: `text:${actor_id}`,
  }
}

/** Starts to save texts, at first those that a crash left unsaved. */
export function startTextSaver(options: Options) {
  const saver = new TextSaver(options)
  const unsubscribe = options.signals.subscribe((signal) => saver.note(signal))
  const sweep = () =>
    saver
      .saveAll()
      .catch((error) => options.log.error({ err: error }, `Unsaved: ${describeProblem(error)}`))
  void sweep()
  const timer = setInterval(sweep, SWEEP_MS)
  timer.unref()
  return async () => {
    unsubscribe()
    clearInterval(timer)
    await saver.stop()
  }
}
