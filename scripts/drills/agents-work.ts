/** Agents that take the tasks of a board to the end with tools, and the responses they received. */
import { Random } from '../../test/crash/random.ts'
import type { Agent, Answer } from '../battery/agent.ts'
import type { Claim } from './load.ts'

export interface Worker {
  name: string
  agent: Agent
}
export interface Board {
  project_id: number
  keys: string[]
}

/** An agent that leaves a task behind keeps it until this ends. */
const SHORT_TTL_MS = 10_000
/** While all free tasks are assigned to others, or leased. */
const WAIT_MS = 100
const RETRY_MS = 500
const GIVE_UP_MS = 60_000

type Ending = 'complete' | 'hand over' | 'release' | 'abandon'

export class Lives {
  readonly claims: Claim[] = []
  readonly problems: string[] = []
  readonly counts = {
    ...{ completed: 0, handedOver: 0, released: 0, abandoned: 0, refused: 0, comments: 0 },
    repeated: 0,
  }
  private readonly random: Random

  constructor(
    private readonly workers: readonly Worker[],
    private readonly board: Board,
    seed: number,
  ) {
    this.random = new Random(seed)
  }

  /** Resolves once all tasks are completed. */
  run = () => Promise.all(this.workers.map((worker) => this.work(worker)))

  private async work(worker: Worker): Promise<void> {
    const { project_id, keys } = this.board
    while (this.counts.completed < keys.length && !this.problems.length)
      try {
        const ending = this.pickEnding()
        const ttl = ending === 'abandon' ? { ttl: SHORT_TTL_MS } : {}
        const input = { project_id, claim: true, ...ttl }
        const [task] = await this.call(worker.agent, 'next', input)
        if (task) await this.hold(worker, task, ending)
        else await Bun.sleep(WAIT_MS)
        if (this.random.onceIn(20)) await this.intrude(worker)
      } catch (error) {
        this.problems.push(`${worker.name}: ${(error as Error).message}`)
      }
  }

  private pickEnding(): Ending {
    const number = this.random.next()
    if (number < 0.15) return 'hand over'
    if (number < 0.3) return 'release'
    return number < 0.305 ? 'abandon' : 'complete'
  }

  /** Works on a claimed task, and ends the lease in one of several ways. */
  private async hold({ name, agent }: Worker, task: Answer, ending: Ending): Promise<void> {
    const { ticket_number, lease } = task
    const { lease_id, fencing_token, expires_at } = lease
    const claimedAt = performance.now()
    // Responses of tools leave out ids. The number is unique on the board.
    const task_id = Number(ticket_number.split('-').at(-1))
    const claim: Claim = { task_id, agent: name, lease_id, fencing_token, claimedAt }
    this.claims.push(claim)
    if (ending === 'abandon') return this.abandon(agent, claim, ticket_number, expires_at)
    await this.call(agent, 'update', { ticket_number, section: 'Doing' })
    await this.call(agent, 'heartbeat', { ticket_number })
    await this.call(agent, 'add', { ticket_number, text: `${name} was here` }, 'svc_comments')
    this.counts.comments++
    claim.releasedAt = performance.now()
    if (ending === 'complete') {
      await this.call(agent, 'update', { ticket_number, section: 'Done' })
      this.counts.completed++
    } else if (ending === 'release') {
      await this.call(agent, 'release', { ticket_number })
      this.counts.released++
    } else {
      const to = this.random.pick(this.workers.filter((one) => one.name !== name)).name
      await this.call(agent, 'hand_over', { ticket_number, to, note: `Please go on, ${to}` })
      this.counts.handedOver++
    }
  }

  /** Repeats a call that a busy database refused, which changes nothing. */
  private async call(agent: Agent, action: string, input: object, tool = 'svc_tasks') {
    const giveUpAt = performance.now() + GIVE_UP_MS
    for (;;)
      try {
        return await agent.do(tool, action, input)
      } catch (error) {
        const isBusy = (error as Error).message.includes('Not available now')
        if (!isBusy || performance.now() > giveUpAt) throw error
        this.counts.repeated++
        await Bun.sleep(RETRY_MS)
      }
  }

  /** Wakes up after the lease has ended. Whatever happened to the task, it must be refused. */
  private async abandon(agent: Agent, claim: Claim, ticket_number: string, expires_at: string) {
    const left = Date.parse(expires_at) - Date.now()
    claim.releasedAt = performance.now() + left - 1
    this.counts.abandoned++
    await Bun.sleep(left + 500)
    await agent.callRefused('svc_tasks', 'update', { ticket_number, title: 'Late' })
    this.counts.refused++
  }

  /** Writes to a task without a claim, which somebody else may hold. */
  private async intrude({ agent }: Worker): Promise<void> {
    const ticket_number = this.random.pick(this.board.keys)
    await agent.callRefused('svc_tasks', 'update', { ticket_number, title: 'Mine' })
    this.counts.refused++
  }
}
