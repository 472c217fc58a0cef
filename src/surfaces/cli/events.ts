import type { OperationDescription } from '../../kernel/operation.ts'
import { cell } from './cell.ts'
import { Client, RefusedError } from './client.ts'
import { type Command, CommandError, UsageError } from './command.ts'
import { eventData, readBlocks } from './event-stream.ts'
import type { CommandIO } from './io.ts'
import { findBoardId, restSource } from './resolve-names.ts'
import { plain } from './table.ts'

const ROUTE = '/api/v1/events'
/** Old changes come at once. After a silence this long there are no more. */
const IDLE_MS = 1000
/** The server sends a ping every 15 s. After this silence the connection is considered lost. */
const SILENCE_MS = 60_000
const RETRY_MS = 2000
const MAX_RETRY_MS = 30_000

interface Change {
  id: number
  type: string
  created_at: string
  project_id: number | null
  actor: { name?: string }
  data: Record<string, unknown>
}

interface StreamOptions {
  since: string | undefined
  /** The id of the board. */
  board: string | undefined
  follow: boolean
  onChange(change: Change): void
}

export const events = (catalog: readonly OperationDescription[], io: CommandIO): Command => ({
  summary: 'Print changes on your boards as they happen',
  about:
    'With --follow it runs until you stop it and resumes after a lost connection. With --since alone it prints the changes after that one and ends when no more arrive for a second.',
  example: 'cork events --follow --project HOM',
  flags: {
    follow: { type: 'boolean', about: 'Run until interrupted' },
    since: {
      type: 'string',
      hint: 'SEQ',
      about: 'Start after this change, the first number of a line; 0 starts at the beginning',
    },
    project: {
      type: 'string',
      hint: 'BOARD',
      about: 'Only changes on this board: number, key or title',
    },
    json: { type: 'boolean', about: 'Print one change per line, as JSON' },
  },
  async run({ since, project, follow, json }) {
    if (since === undefined && follow === undefined)
      throw new UsageError('Choose the changes: --follow for new ones, --since 0 for all so far')
    if (since !== undefined && !/^\d+$/.test(since))
      throw new UsageError(`--since must be a whole number, not "${since}"`)
    const client = new Client(io)
    const board = project && (await findBoardId(project, restSource(client, catalog)))
    const onChange = (change: Change) =>
      io.out(json === undefined ? lineOf(change) : JSON.stringify(change))
    await followEvents(client, { since, board, follow: follow !== undefined, onChange }, io)
    return 0
  },
})

/** Reads events. After a lost connection it resumes with the last change. */
async function followEvents(client: Client, options: StreamOptions, io: CommandIO): Promise<void> {
  let last = options.since
  let wait = RETRY_MS
  const onChange = (change: Change) => {
    last = String(change.id)
    wait = RETRY_MS
    options.onChange(change)
  }
  for (;;) {
    try {
      const isComplete = await listen(client, { ...options, since: last, onChange })
      if (isComplete) return
      if (!options.follow)
        throw new CommandError('The server closed the stream before all changes were sent')
    } catch (error) {
      const isFinal =
        error instanceof CommandError || (error instanceof RefusedError && error.status < 500)
      if (!options.follow || isFinal) throw error
    }
    io.err(`The stream ended; reconnecting in ${wait / 1000} s`)
    await io.sleep(wait)
    wait = Math.min(wait * 2, MAX_RETRY_MS)
  }
}

/** Reads one connection. Returns true if there were no more changes to wait for. */
async function listen(
  client: Client,
  { since, board, follow, onChange }: StreamOptions,
): Promise<boolean> {
  const query = new URLSearchParams(board ? { project_id: board } : {})
  const headers = {
    accept: 'text/event-stream',
    ...(since !== undefined && { 'last-event-id': since }),
  }
  const stop = new AbortController()
  const timeoutMs = follow ? SILENCE_MS : IDLE_MS
  let timer = setTimeout(() => stop.abort(), timeoutMs)
  try {
    const response = await client.open({ method: 'GET', path: ROUTE, query }, headers, stop.signal)
    for await (const block of readBlocks(response, stop.signal)) {
      const change = eventData(block) as Change | undefined
      if (change) onChange(change)
      // A ping shows that the connection is alive, not that there are more changes.
      if (!change && !follow) continue
      clearTimeout(timer)
      timer = setTimeout(() => stop.abort(), timeoutMs)
    }
    return stop.signal.aborted && !follow
  } catch (error) {
    if (stop.signal.aborted) return !follow
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** A change in one line: sequence number, time, type, board, actor and subject. */
function lineOf({ id, created_at, type, project_id, actor, data }: Change): string {
  const { ticket_number, title, name, summary, agent_name, reason, changed } = data
  const subject = [ticket_number, title ?? name ?? summary, agent_name, reason]
  const parts = [...subject, Array.isArray(changed) && changed.join(', ')]
  return [id, cell(created_at), type, project_id && `board ${project_id}`, actor.name, ...parts]
    .filter(Boolean)
    .map(plain)
    .join('  ')
}
