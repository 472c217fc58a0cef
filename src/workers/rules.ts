import type { Logger } from 'pino'
import {
  claimExecution,
  type Execution,
  finish,
  freeExecutions,
  type Outcome,
  pauseRule,
  queuedExecutions,
  type Rule,
  ruleCaller,
  type Step,
} from '../features/boards/rules/model/index.ts'
import { notify, plan, send } from '../features/boards/rules/operations/index.ts'
import type { Caller, Clock } from '../kernel/caller.ts'
import type { Dispatch } from '../kernel/dispatch.ts'
import { Fault } from '../kernel/fault.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import { describeProblem } from '../store/errors.ts'
import type { OpenStore } from '../store/store.ts'

const POLL_MS = 1000
/** Changes that arrive together are handled together. */
const GATHER_MS = 30
const BATCH = 50
const NO_ACCESS =
  'The person who created it, or changed it last, has no access to the board any more'

interface Options {
  store: Pick<OpenStore, 'read' | 'write' | 'onCommit'>
  dispatch: Dispatch
  catalog: readonly AnyOperation[]
  clock: Clock
  log: Logger
  /** No other server executes rules of this database. */
  isAlone?: boolean
}

/** Executes queued rules until the returned function is called. */
export function startRules(options: Options): () => Promise<void> {
  const runner = new RuleRunner(options)
  let stopped = false
  let isWoken = true
  let running: Promise<void> | undefined
  const run = async () => {
    while (isWoken && !stopped) {
      await Bun.sleep(GATHER_MS)
      isWoken = false
      await runner.runAll(() => stopped)
    }
    running = undefined
  }
  const wake = () => {
    isWoken = true
    running ??= run()
  }
  const unsubscribe = options.store.onCommit(wake)
  const timer = setInterval(wake, POLL_MS)
  running = runner.start().then(run)
  return async () => {
    stopped = true
    unsubscribe()
    clearInterval(timer)
    await running
  }
}

/**
 * Executes rules one after the other, in the order of the changes that started them. Each action is
 * a call in the name of the rule. Its idempotency key is stored in the transaction of the call, so
 * after a crash no action happens twice.
 */
export class RuleRunner {
  private readonly operations: ReadonlyMap<string, AnyOperation>

  constructor(private readonly options: Options) {
    const all = [...options.catalog, notify, send]
    this.operations = new Map(all.map((op) => [op.name, op]))
  }

  async start(): Promise<void> {
    if (this.options.isAlone) await this.logged(() => this.options.store.write(freeExecutions))
  }

  async runAll(isStopped: () => boolean = () => false): Promise<void> {
    const { store, clock } = this.options
    await this.logged(async () => {
      for (;;) {
        const ids = await store.read((tx) => queuedExecutions(tx, clock(), BATCH))
        for (const id of ids) {
          if (isStopped()) return
          await this.logged(() => this.run(id))
        }
        if (ids.length < BATCH) return
      }
    })
  }

  private async logged(job: () => Promise<unknown>): Promise<void> {
    await job().catch((error) =>
      this.options.log.error({ err: error }, `A rule failed: ${describeProblem(error)}`),
    )
  }

  private async run(execution_id: number): Promise<void> {
    const { store, clock } = this.options
    const claimed = await store.write((tx) => claimExecution(tx, execution_id, clock()))
    if (!claimed) return
    const { execution, rule } = claimed
    const end = (result: Omit<Parameters<typeof finish>[2], 'now'>) =>
      store.write((tx) => finish(tx, execution, { ...result, now: clock() }))
    if (!rule.enabled) return end({ state: 'skipped', reason: 'The rule was disabled' })
    const caller = await store.read((tx) => ruleCaller(tx, rule, execution.depth))
    if (!caller) return this.pause(rule, execution)
    const planned = await this.planOf(caller, execution)
    if (planned.reason !== null) return end({ state: 'skipped', reason: planned.reason })
    const results: Outcome[] = []
    for (const [at, step] of planned.steps.entries())
      results.push(await this.act(caller, step, `rule:${rule.rule_id}:${execution.seq}:${at}`))
    const failed = results.some(({ error }) => error !== null)
    await end({ state: failed ? 'failed' : 'done', results })
  }

  private async pause(rule: Rule, execution: Execution): Promise<void> {
    const { store, clock } = this.options
    const { task_id } = execution
    await store.write(async (tx) => {
      await finish(tx, execution, { state: 'skipped', reason: NO_ACCESS, now: clock() })
      await pauseRule(tx, rule, { reason: NO_ACCESS, task_id, now: clock() })
    })
  }

  private async planOf(caller: Caller, { execution_id }: Execution) {
    try {
      const { data } = await this.options.dispatch(caller, plan, { execution_id })
      return data as { reason: string | null; steps: Step[] }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return { reason: error.message, steps: [] }
    }
  }

  private async act(caller: Caller, step: Step, key: string): Promise<Outcome> {
    const outcome = (error: string | null) => ({ do: step.do, text: step.text, error })
    try {
      await this.options.dispatch(caller, this.operations.get(step.op)!, step.input, key)
      return outcome(null)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      // The call was made before a crash, with texts that have changed since.
      const isRepeated = error.details.field === 'Idempotency-Key'
      return outcome(isRepeated ? null : error.message)
    }
  }
}
