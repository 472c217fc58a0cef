import type { CallOutcome, ToolCall, TurnEnd } from '../../ai/types.ts'
import {
  addUsage,
  type ClaimedRun,
  currentRun,
  extendHold,
  pauseOf,
  promptersOf,
  promptsSince,
  type Run,
  releaseRun,
  settleRun,
} from '../../features/agents/runs/model/index.ts'
import type { TaskContext } from '../../features/tasks/context/model/index.ts'
import type { Caller } from '../../kernel/caller.ts'
import { Fault } from '../../kernel/fault.ts'
import { truncate } from './briefing.ts'
import { HeldLeases } from './held-leases.ts'
import { INTERRUPTED, prepare } from './prepare.ts'
import { currentAgent } from './rights.ts'
import { type AgentRuntime, dispatchAs, orFault, TURN_LIMITS } from './runtime.ts'
import { ASK_PERSON, Toolbox } from './toolbox.ts'
import { TranscriptWriter } from './transcript.ts'

export interface Pace {
  /** How long a server may keep a run without renewing its hold. */
  hold_ms: number
  /** How often a running run is checked. */
  poll_ms: number
  /** How long to wait before claiming a task again that somebody else holds. */
  retry_ms: number
}
export const PACE: Pace = { hold_ms: 30_000, poll_ms: 1_000, retry_ms: 15_000 }

export const PAUSED = 'The server is stopping; the run continues when it starts again.'
/** The same limit as for an agent that reports through the API. */
const MAX_SUMMARY = 10_000
const NO_ACCESS = 'The agent, or the person who called it, no longer has access'
const TASK_HIDDEN = 'The agent can no longer see the task'

/** Works on one run of a native agent until the run is settled or another server takes it. */
export class NativeRun {
  private readonly abort = new AbortController()
  private readonly leases: HeldLeases
  private readonly transcript: TranscriptWriter
  /** The number of the last transcript entry that the model has read. */
  private lastPrompt = 0
  private renewedAt = 0
  private question: string | undefined
  private isClosing = false
  /** Why the run stops before its next step, to go on later. */
  private pause: string | undefined
  private checking: Promise<void> = Promise.resolve()

  private run: Run
  private readonly interrupted: boolean

  constructor(
    private readonly runtime: AgentRuntime,
    claimedRun: ClaimedRun,
    private readonly pace: Pace,
  ) {
    const { run } = claimedRun
    this.run = run
    this.interrupted = claimedRun.interrupted
    this.leases = new HeldLeases(runtime, `run ${run.run_id}`)
    this.transcript = new TranscriptWriter(runtime, () => this.run)
  }

  /** For a server that stops: everything done stays, and another server can take the run. */
  close(): void {
    this.isClosing = true
    this.abort.abort()
  }

  async work(): Promise<void> {
    const timer = setInterval(() => this.scheduleCheck(), this.pace.poll_ms)
    this.renewedAt = performance.now()
    try {
      await this.begin()
    } finally {
      clearInterval(timer)
      await this.checking
      if (this.pause) await this.releaseHold()
      await this.leases.release(await currentAgent(this.runtime, this.run.actor_id))
    }
  }

  /** Reads the run again soon; called after a commit. */
  scheduleCheck(): void {
    this.checking = this.checking.then(() => this.check()).catch((error) => this.logError(error))
  }

  private logError(error: unknown) {
    this.runtime.log.error({ err: error, run_id: this.run.run_id }, 'A run could not be checked')
  }

  private async check(): Promise<void> {
    const { store, clock } = this.runtime
    const { current, pause } = await store.read(async (tx) => ({
      current: await currentRun(tx, this.run),
      pause: await pauseOf(tx, this.run, clock()),
    }))
    this.pause = pause && `${pause.message}. The run goes on once it is resumed.`
    if (!current || pause) return this.abort.abort()
    this.run = current
    if (performance.now() - this.renewedAt < this.pace.hold_ms / 3) return
    const caller = await this.caller()
    if (caller) await this.leases.renew(caller)
    await this.extendHold()
    if (!caller || (await this.context(caller)) instanceof Fault)
      await this.settle({ state: 'stopped', reason: caller ? TASK_HIDDEN : NO_ACCESS })
  }

  private async extendHold(): Promise<void> {
    const { store } = this.runtime
    this.renewedAt = performance.now()
    const until = this.fromNow(this.pace.hold_ms)
    if (!(await store.write((tx) => extendHold(tx, this.run, until)))) this.abort.abort()
  }

  private releaseHold(ms?: number): Promise<void> {
    const from = ms === undefined ? null : this.fromNow(ms)
    return this.runtime.store.write((tx) => releaseRun(tx, this.run, from))
  }

  private readonly fromNow = (ms: number) => new Date(this.runtime.clock().getTime() + ms)

  private async caller(): Promise<Caller | undefined> {
    const askers = await this.runtime.store.read((tx) => promptersOf(tx, this.run))
    return currentAgent(this.runtime, this.run.actor_id, askers)
  }

  private context(caller: Caller): Promise<TaskContext | Fault> {
    const { task_id } = this.run
    return orFault(dispatchAs<TaskContext>(this.runtime, caller, 'tasks.context', { task_id }))
  }

  private async begin(): Promise<void> {
    const caller = await this.caller()
    if (!caller) return this.settle({ state: 'stopped', reason: NO_ACCESS })
    const context = await this.context(caller)
    if (context instanceof Fault) return this.settle({ state: 'stopped', reason: TASK_HIDDEN })
    const refusal = await this.leases.claim(caller, this.run.task_id)
    if (refusal?.details.holder) return this.wait(`${refusal.message.split(' until ')[0]}`)
    const { run, interrupted } = this
    const unclaimed = refusal?.message
    const input = { run, interrupted, caller, context, unclaimed }
    const prepared = await prepare(this.runtime, input)
    if (typeof prepared === 'string') return this.settle({ state: 'failed', summary: prepared })
    this.lastPrompt = prepared.lastEntry
    if (interrupted) this.transcript.add('error', INTERRUPTED)
    if (this.run.state === 'queued') await this.settle({ state: 'running' })
    if (this.abort.signal.aborted || !(await this.transcript.write())) return
    await this.converse(caller, prepared)
  }

  /** The task is held by somebody else: the run is tried again in a while. */
  private async wait(reason: string): Promise<void> {
    const text = `${reason}; the run continues when the task is free.`
    if (this.run.last_entry !== text) this.transcript.add('message', text)
    await this.transcript.write()
    await this.releaseHold(this.pace.retry_ms)
  }

  private async converse(caller: Caller, prepared: { system: string; briefing: string }) {
    const { runtime, leases } = this
    const [currentCaller, task] = [() => this.caller(), () => this.run]
    const toolbox = new Toolbox(
      { runtime, leases, canAskPerson: true, caller: currentCaller, task },
      caller,
    )
    const result = await runtime.runTurn!({
      system: prepared.system,
      history: [{ role: 'user', text: prepared.briefing }],
      tools: toolbox.list,
      before: toolbox.openingCall,
      call: (called) => this.call(toolbox, called),
      onEvent: (event) => this.transcript.onModelEvent(event),
      takeNewTexts: () => this.meanwhile(),
      signal: this.abort.signal,
      bounds: TURN_LIMITS,
    })
    await this.reportUsage(result)
    this.transcript.flushText()
    await this.finish(result)
  }

  private reportUsage({ usage }: TurnEnd): Promise<void> {
    const { store, clock, price } = this.runtime
    const { tokens_in, tokens_out } = usage
    const micro_usd = price && Math.round(tokens_in * price.input + tokens_out * price.output)
    return store.write((tx) => addUsage(tx, this.run, clock(), { ...usage, micro_usd }))
  }

  private async call(toolbox: Toolbox, called: ToolCall): Promise<CallOutcome> {
    if (called.tool === ASK_PERSON) return this.askPerson(called.input)
    this.scheduleCheck()
    await this.checking
    // The call is written down before it is made, so that a server that takes the run over knows of
    // it.
    if (
      this.abort.signal.aborted ||
      !(await this.transcript.recordCall(called, toolbox.titleOf(called)))
    )
      return STOPPED
    const { text, summary, isError } = await toolbox.call(called)
    this.transcript.add(isError ? 'error' : 'result', summary)
    if (!(await this.transcript.write())) this.abort.abort()
    return { state: 'answered', text }
  }

  private askPerson(input: unknown): CallOutcome {
    const { question } = (input ?? {}) as { question?: unknown }
    if (typeof question !== 'string' || !question.trim())
      return { state: 'answered', text: 'Say what you ask: {"question": "…"}' }
    this.question = truncate(question.trim(), MAX_SUMMARY)
    this.transcript.add('message', this.question)
    return { state: 'waiting' }
  }

  /** The prompts that people added to the run since the model last read them. */
  private async meanwhile(): Promise<string[]> {
    const prompts = await this.runtime.store.read((tx) =>
      promptsSince(tx, this.run, this.lastPrompt),
    )
    this.lastPrompt = prompts.at(-1)?.number ?? this.lastPrompt
    return prompts.map(({ by, text }) => `${by} says: ${text}`)
  }

  private async finish({ reason, trouble }: TurnEnd): Promise<void> {
    if (trouble) this.transcript.add('error', messageOf(trouble))
    const note = this.isClosing ? PAUSED : this.pause
    if (note && reason === 'stopped') this.transcript.add('message', note)
    const isHeld = await this.transcript.write()
    if (!isHeld) return
    if (reason === 'stopped') return this.releaseHold()
    if (reason === 'said')
      return this.settle({
        state: 'done',
        summary: truncate(this.transcript.lastText, MAX_SUMMARY) || null,
      })
    if (reason === 'failed') return this.settle({ state: 'failed', summary: messageOf(trouble!) })
    const summary = this.question ?? (trouble ? messageOf(trouble) : null)
    return this.settle({ state: 'waiting', summary })
  }

  private async settle(change: Pick<Partial<Run>, 'state' | 'summary' | 'reason'>): Promise<void> {
    const { store, clock } = this.runtime
    // A prompt that arrives while the run ends makes the run go on.
    const lastPrompt =
      change.state === 'done' || change.state === 'waiting' ? this.lastPrompt : undefined
    const outcome = await store.write((tx) =>
      settleRun(tx, this.run, clock(), {
        ...change,
        ...(lastPrompt !== undefined && { seen: lastPrompt }),
      }),
    )
    if (outcome === 'asked') return this.releaseHold()
    if (outcome === 'settled') this.run = { ...this.run, ...change }
    if (outcome === 'lost' || change.state !== 'running') this.abort.abort()
  }
}

const STOPPED: CallOutcome = { state: 'answered', text: 'The run was stopped.' }

const messageOf = ({ message, hint }: { message: string; hint?: string }) =>
  hint ? `${message} ${hint}` : message
