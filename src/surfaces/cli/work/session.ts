import { type Client, RefusedError } from '../client.ts'
import type { CommandIO } from '../io.ts'
import { promptFor } from './prompt.ts'
import { addWorktree, removeWorktree, type Worktree, workIn } from './repository.ts'
import { Transcript } from './transcript.ts'

const CHECKS_PER_TTL = 12
/** How long the command may clean up after it is asked to end. */
const GRACE_MS = 5000

export type Outcome = 'done' | 'failed' | 'interrupted' | 'lost'

export interface ClaimedTask {
  ticket_number: string
  lease_id: string
}

interface Options {
  client: Client
  io: CommandIO
  repository: string
  task: ClaimedTask
  /** How long the task stays claimed after this process is killed. */
  ttl: number
}

/** The work on one claimed task, from its worktree to the hand-over. */
export class Session {
  private child: Bun.Subprocess<Blob, 'pipe', 'pipe'> | undefined
  private renewedAt = Date.now()
  private outcome: Outcome | undefined
  private run_id = 0

  constructor(private readonly options: Options) {}

  async run(command: string, recipient: string): Promise<Outcome> {
    const { io, repository, task } = this.options
    const removeHandlers = this.handleSignals()
    const timer = setInterval(() => void this.check(), this.options.ttl / CHECKS_PER_TTL)
    try {
      const title = await this.titleOf(task.ticket_number)
      const worktree = await addWorktree(repository, { ...task, title })
      io.err(`${task.ticket_number} "${title}" in ${worktree.folder}, branch ${worktree.branch}`)
      return await this.runIn(worktree, command, recipient)
    } catch (error) {
      await this.release()
      throw error
    } finally {
      clearInterval(timer)
      removeHandlers()
    }
  }

  private async runIn(worktree: Worktree, command: string, recipient: string): Promise<Outcome> {
    const { client, repository, task } = this.options
    this.run_id = await this.startRun()
    const transcript = new Transcript(client, this.run_id)
    const exitCode = await this.execute(worktree, command, transcript)
    await transcript.close()
    const outcome = this.outcome ?? (exitCode === 0 ? 'done' : 'failed')
    if (outcome === 'done' || outcome === 'failed') {
      const note = await noteOf(worktree, transcript.tail, exitCode)
      await this.updateRun({ state: outcome, summary: note.slice(0, 2000) })
      await this.send('POST', `/api/v1/tasks/${task.ticket_number}/hand-over`, {
        ...{ to: recipient, note, content_type: 'markdown', lease_id: task.lease_id },
      })
      this.options.io.err(`${task.ticket_number}: handed over to ${recipient}`)
    } else {
      await this.updateRun({ state: 'failed', summary: REASONS[outcome] }).catch(() => {})
      await this.release()
      this.options.io.err(`${task.ticket_number}: ${REASONS[outcome]}`)
    }
    await removeWorktree(repository, worktree)
    return outcome
  }

  /** Runs the command in a process group of its own, so that everything it starts can be ended. */
  private async execute(worktree: Worktree, command: string, transcript: Transcript) {
    const { client, task, io } = this.options
    const { ticket_number } = task
    const prompt = await promptFor(client, ticket_number, worktree)
    if (this.outcome) return 1
    const child = Bun.spawn(['sh', '-c', `${WATCH}\n${command}`], {
      cwd: worktree.folder,
      env: { ...io.env, CORK_TASK: ticket_number, CORK_RUN: String(this.run_id) },
      stdin: new Blob([prompt]),
      stdout: 'pipe',
      stderr: 'pipe',
      detached: true,
    })
    this.child = child
    await Promise.all([
      forward(child.stdout, async (text) => {
        transcript.add('message', text)
        await io.exact(text)
      }),
      forward(child.stderr, async (text) => {
        transcript.add('error', text)
        io.err(text.trimEnd())
      }),
    ])
    const exitCode = await child.exited
    killGroup(child.pid, 'SIGKILL')
    return exitCode
  }

  /** Renews the lease, and ends the command if the lease was lost or somebody stopped the run. */
  private async check(): Promise<void> {
    const { lease_id } = this.options.task
    try {
      await this.send('POST', '/api/mcp/tasks/lease/heartbeat', { lease_id, ttl: this.options.ttl })
      this.renewedAt = Date.now()
      if (!this.run_id) return
      const { state } = await this.send('GET', `/api/v1/runs/${this.run_id}`)
      if (state === 'stopped') this.end('interrupted')
    } catch (error) {
      const isExpired = Date.now() - this.renewedAt > this.options.ttl
      if (error instanceof RefusedError || isExpired) this.end('lost')
    }
  }

  private end(outcome: Outcome): void {
    if (this.outcome) return
    this.outcome = outcome
    const { child } = this
    if (!child) return
    killGroup(child.pid, 'SIGTERM')
    setTimeout(() => killGroup(child.pid, 'SIGKILL'), GRACE_MS).unref()
  }

  private handleSignals(): () => void {
    const stop = () => this.end('interrupted')
    const removeInterrupt = this.options.io.onInterrupt(stop)
    process.on('SIGTERM', stop)
    return () => {
      removeInterrupt()
      process.off('SIGTERM', stop)
    }
  }

  private async titleOf(ticket_number: string): Promise<string> {
    return (await this.send('GET', `/api/v1/tasks/${ticket_number}`)).title as string
  }

  private async startRun(): Promise<number> {
    const path = `/api/v1/tasks/${this.options.task.ticket_number}/runs`
    const { run_id } = await this.send('POST', path, { agent_id: 'self' })
    return run_id as number
  }

  private updateRun = (set: object) => this.send('PATCH', `/api/v1/runs/${this.run_id}`, set)

  /** The lease may have ended already. */
  private async release(): Promise<void> {
    const { lease_id } = this.options.task
    await this.send('POST', '/api/mcp/tasks/lease/release', { lease_id }).catch(() => {})
  }

  private async send(method: string, path: string, body?: object) {
    const { data } = await this.options.client.send({ method, path, ...(body && { body }) })
    return data as Record<string, unknown>
  }
}

/** Ends the command if this process is killed, because somebody else may claim the task then. */
const WATCH = `( while kill -0 ${process.pid}; do sleep 1; done; kill -9 0 ) </dev/null >/dev/null 2>&1 &`

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // All its processes have ended already.
  }
}

const REASONS = {
  interrupted: 'interrupted before it finished; the task is free again',
  lost: 'the lease was lost, so the command was ended',
} as const

async function forward(stream: ReadableStream<Uint8Array>, write: (text: string) => Promise<void>) {
  const decoder = new TextDecoder()
  for await (const chunk of stream) await write(decoder.decode(chunk, { stream: true }))
}

/** The note of the hand-over: how the command ended, what it committed, and the end of its output. */
async function noteOf(worktree: Worktree, tail: string, exitCode: number): Promise<string> {
  const { commits, isDirty } = await workIn(worktree)
  const lines = [
    exitCode === 0 ? 'The work is done.' : `The command failed with exit code ${exitCode}.`,
    commits.length
      ? `Branch \`${worktree.branch}\`:\n\n${commits.map((line) => `- \`${line}\``).join('\n')}`
      : 'It committed nothing.',
    isDirty && `Uncommitted changes are in \`${worktree.folder}\`.`,
    tail && `The end of its output:\n\n\`\`\`\`\n${tail}\n\`\`\`\``,
  ]
  return lines.filter(Boolean).join('\n\n')
}
