import type { Called, Ended, Outcome } from '../../ai/types.ts'
import type { Whole as Context } from '../../features/context/index.ts'
import {
  askersOf,
  keepRun,
  leaveRun,
  promptsSince,
  type Run,
  runNow,
  settleRun,
  type Taken,
} from '../../features/runs/index.ts'
import type { Caller } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { cut } from './briefing.ts'
import { ask, BOUNDS, type Desk, tried } from './desk.ts'
import { Holding } from './holding.ts'
import { INTERRUPTED, prepare } from './prepare.ts'
import { agentNow } from './rights.ts'
import { Script } from './script.ts'
import { ASK_PERSON, Toolbox } from './toolbox.ts'

/** In milliseconds. */
export interface Pace {
  /** Until a server that is heard of no more is taken to be gone. */
  hold: number
  /** How often a run under way is looked at. */
  look: number
  /** Until a task that somebody else holds is asked for again. */
  retry: number
}
export const PACE: Pace = { hold: 30_000, look: 1_000, retry: 15_000 }

export const PAUSED = 'The server stops; the run goes on with the next one.'
/** As long as an agent with a token may make it. */
const MOST_SUMMARY = 10_000
const GONE = 'The agent, or who called it, is not let in any more'
const UNSEEN = 'The agent cannot see the task any more'

/** One run of a native agent, from where it is until it is settled, or lost to somebody else. */
export class Working {
  private readonly end = new AbortController()
  private readonly holding: Holding
  private readonly script: Script
  /** The last prompt that the model was told. */
  private seen = 0
  private kept = 0
  private question: string | undefined
  private closing = false
  private looking: Promise<void> = Promise.resolve()

  private run: Run
  private readonly interrupted: boolean

  constructor(
    private readonly desk: Desk,
    taken: Taken,
    private readonly pace: Pace,
  ) {
    const { run } = taken
    this.run = run
    this.interrupted = taken.interrupted
    this.holding = new Holding(desk, `run ${run.run_id}`)
    this.script = new Script(desk, () => this.run)
  }

  /** The server is told to stop: what was done stays, and the run is free to be taken. */
  close(): void {
    this.closing = true
    this.end.abort()
  }

  async work(): Promise<void> {
    const timer = setInterval(() => this.look(), this.pace.look)
    this.kept = performance.now()
    try {
      await this.begin()
    } finally {
      clearInterval(timer)
      await this.looking
      await this.holding.release(await agentNow(this.desk, this.run.actor_id))
    }
  }

  /** Asks at once how the run is by now; something was written. */
  look(): void {
    this.looking = this.looking.then(() => this.check()).catch((error) => this.broke(error))
  }

  private broke(error: unknown) {
    this.desk.log.error({ err: error, run_id: this.run.run_id }, 'A run could not be looked at')
  }

  private async check(): Promise<void> {
    const { store } = this.desk
    const now = await store.read((tx) => runNow(tx, this.run))
    if (!now) return this.end.abort()
    this.run = now
    if (performance.now() - this.kept < this.pace.hold / 3) return
    const caller = await this.caller()
    if (caller) await this.holding.renew(caller)
    await this.keep()
    if (!caller || (await this.context(caller)) instanceof Fault)
      await this.settle({ state: 'stopped', reason: caller ? UNSEEN : GONE })
  }

  private async keep(): Promise<void> {
    const { store } = this.desk
    this.kept = performance.now()
    const until = this.in(this.pace.hold)
    if (!(await store.write((tx) => keepRun(tx, this.run, until)))) this.end.abort()
  }

  private leave(ms?: number): Promise<void> {
    const from = ms === undefined ? null : this.in(ms)
    return this.desk.store.write((tx) => leaveRun(tx, this.run, from))
  }

  private readonly in = (ms: number) => new Date(this.desk.clock().getTime() + ms)

  private async caller(): Promise<Caller | undefined> {
    const askers = await this.desk.store.read((tx) => askersOf(tx, this.run))
    return agentNow(this.desk, this.run.actor_id, askers)
  }

  private context(caller: Caller): Promise<Context | Fault> {
    const { task_id } = this.run
    return tried(ask<Context>(this.desk, caller, 'tasks.context', { task_id }))
  }

  private async begin(): Promise<void> {
    const caller = await this.caller()
    if (!caller) return this.settle({ state: 'stopped', reason: GONE })
    const context = await this.context(caller)
    if (context instanceof Fault) return this.settle({ state: 'stopped', reason: UNSEEN })
    const refused = await this.holding.claim(caller, this.run.task_id)
    if (refused?.details.holder) return this.wait(`${refused.message.split(' until ')[0]}`)
    const { run, interrupted } = this
    const unclaimed = refused?.message
    const about = { run, interrupted, caller, context, unclaimed }
    const begun = await prepare(this.desk, about)
    if (typeof begun === 'string') return this.settle({ state: 'failed', summary: begun })
    this.seen = begun.seen
    if (interrupted) this.script.say('error', INTERRUPTED)
    if (this.run.state === 'queued') await this.settle({ state: 'running' })
    if (this.end.signal.aborted || !(await this.script.write())) return
    await this.converse(caller, begun)
  }

  /** Nobody can work on what another holds: the run is looked at again in a while. */
  private async wait(why: string): Promise<void> {
    const words = `${why}; the run goes on when it is free.`
    if (this.run.last_entry !== words) this.script.say('message', words)
    await this.script.write()
    await this.leave(this.pace.retry)
  }

  private async converse(caller: Caller, begun: { system: string; briefing: string }) {
    const { desk, holding } = this
    const [now, about] = [() => this.caller(), () => this.run]
    const toolbox = new Toolbox({ desk, holding, asks: true, caller: now, about }, caller)
    const ended = await desk.take!({
      system: begun.system,
      said: [{ role: 'user', text: begun.briefing }],
      tools: toolbox.list,
      before: toolbox.before,
      call: (called) => this.call(toolbox, called),
      hear: (heard) => this.script.hear(heard),
      meanwhile: () => this.meanwhile(),
      signal: this.end.signal,
      bounds: BOUNDS,
    })
    this.script.gather()
    await this.finish(ended)
  }

  private async call(toolbox: Toolbox, called: Called): Promise<Outcome> {
    if (called.tool === ASK_PERSON) return this.asks(called.input)
    this.look()
    await this.looking
    // Before it is done, so that whoever takes the run up again knows of it.
    if (this.end.signal.aborted || !(await this.script.began(called, toolbox.titleOf(called))))
      return STOPPED
    const { text, told, isError } = await toolbox.make(called)
    this.script.say(isError ? 'error' : 'result', told)
    if (!(await this.script.write())) this.end.abort()
    return { state: 'answered', text }
  }

  private asks(input: unknown): Outcome {
    const { question } = (input ?? {}) as { question?: unknown }
    if (typeof question !== 'string' || !question.trim())
      return { state: 'answered', text: 'Say what you ask: {"question": "…"}' }
    this.question = cut(question.trim(), MOST_SUMMARY)
    this.script.say('message', this.question)
    return { state: 'waiting' }
  }

  /** What people asked of the run since the model was last told. */
  private async meanwhile(): Promise<string[]> {
    const asked = await this.desk.store.read((tx) => promptsSince(tx, this.run, this.seen))
    this.seen = asked.at(-1)?.number ?? this.seen
    return asked.map(({ by, text }) => `${by} says: ${text}`)
  }

  private async finish({ reason, trouble }: Ended): Promise<void> {
    if (trouble) this.script.say('error', wordsOf(trouble))
    if (this.closing && reason === 'stopped') this.script.say('message', PAUSED)
    const isOwn = await this.script.write()
    if (!isOwn) return
    if (reason === 'stopped') return this.leave()
    if (reason === 'said')
      return this.settle({ state: 'done', summary: cut(this.script.last, MOST_SUMMARY) || null })
    if (reason === 'failed') return this.settle({ state: 'failed', summary: wordsOf(trouble!) })
    const summary = this.question ?? (trouble ? wordsOf(trouble) : null)
    return this.settle({ state: 'waiting', summary })
  }

  private async settle(set: Pick<Partial<Run>, 'state' | 'summary' | 'reason'>): Promise<void> {
    const { store, clock } = this.desk
    // Who asks in the very moment of the end is answered by going on.
    const seen = set.state === 'done' || set.state === 'waiting' ? this.seen : undefined
    const what = await store.write((tx) =>
      settleRun(tx, this.run, clock(), { ...set, ...(seen !== undefined && { seen }) }),
    )
    if (what === 'asked') return this.leave()
    if (what === 'settled') this.run = { ...this.run, ...set }
    if (what === 'lost' || set.state !== 'running') this.end.abort()
  }
}

const STOPPED: Outcome = { state: 'answered', text: 'The run was stopped.' }

const wordsOf = ({ message, hint }: { message: string; hint?: string }) =>
  hint ? `${message} ${hint}` : message
