import type { AnyOperation } from '../../kernel/operation.ts'
import { blocksOf, dataIn } from './blocks.ts'
import { cell } from './cell.ts'
import { Client, Refused } from './client.ts'
import { type Command, Failed, WrongUsage } from './command.ts'
import { boardNamed } from './naming.ts'
import type { Outside } from './outside.ts'
import { plain } from './table.ts'

const ROUTE = '/api/v1/events'
/** What was there already comes at once; after a silence this long there is no more of it. */
const QUIET_MS = 1000
/** The server speaks every 15 s; one that does not is not there any more. */
const DEAD_MS = 60_000
const AGAIN_MS = 2000
const LONGEST_MS = 30_000

interface Change {
  id: number
  type: string
  created_at: string
  project_id: number | null
  actor: { name?: string }
  data: Record<string, unknown>
}

interface Wish {
  since: string | undefined
  /** Its number. */
  board: string | undefined
  follow: boolean
  tell(change: Change): void
}

export const events = (catalog: readonly AnyOperation[], outside: Outside): Command => ({
  summary: 'Tell what happens on the boards, as it happens',
  about:
    'With --follow it goes on until you stop it, and picks up where it was after a lost connection. With --since alone it tells what happened after that, and ends once a second has brought nothing more.',
  example: 'cork events --follow --project HOM',
  flags: {
    follow: { type: 'boolean', about: 'Go on until interrupted' },
    since: {
      type: 'string',
      hint: 'SEQ',
      about: 'Begin after this change, which is the first number of a line; 0 is the beginning',
    },
    project: {
      type: 'string',
      hint: 'BOARD',
      about: 'Only what happens on this board; a key or title will do',
    },
    json: { type: 'boolean', about: 'One change a line, as JSON' },
  },
  async run({ since, project, follow, json }) {
    if (since === undefined && follow === undefined)
      throw new WrongUsage(
        'Say which changes: --follow for what comes from now on, --since 0 for all there was',
      )
    if (since !== undefined && !/^\d+$/.test(since))
      throw new WrongUsage(`--since must be a whole number, not "${since}"`)
    const client = new Client(outside)
    const board = project && (await boardNamed(project, { client, catalog }))
    const tell = (change: Change) =>
      outside.out(json === undefined ? lineOf(change) : JSON.stringify(change))
    await heard(client, { since, board, follow: follow !== undefined, tell }, outside)
    return 0
  },
})

/** Listens, and after a lost connection again from where it was. */
async function heard(client: Client, wish: Wish, outside: Outside): Promise<void> {
  let last = wish.since
  let wait = AGAIN_MS
  const tell = (change: Change) => {
    last = String(change.id)
    wait = AGAIN_MS
    wish.tell(change)
  }
  for (;;) {
    try {
      const quiet = await listen(client, { ...wish, since: last, tell })
      if (quiet) return
      if (!wish.follow) throw new Failed('The server ended the stream before all was told')
    } catch (error) {
      const final = error instanceof Failed || (error instanceof Refused && error.status < 500)
      if (!wish.follow || final) throw error
    }
    outside.err(`The stream ended; listening again in ${wait / 1000} s`)
    await outside.sleep(wait)
    wait = Math.min(wait * 2, LONGEST_MS)
  }
}

/** One connection. Answers whether it was ended here, because nothing more came. */
async function listen(client: Client, { since, board, follow, tell }: Wish): Promise<boolean> {
  const query = new URLSearchParams(board ? { project_id: board } : {})
  const headers = {
    accept: 'text/event-stream',
    ...(since !== undefined && { 'last-event-id': since }),
  }
  const stop = new AbortController()
  const patience = follow ? DEAD_MS : QUIET_MS
  let timer = setTimeout(() => stop.abort(), patience)
  try {
    const response = await client.open({ method: 'GET', path: ROUTE, query }, headers, stop.signal)
    for await (const block of blocksOf(response, stop.signal)) {
      const change = dataIn(block) as Change | undefined
      if (change) tell(change)
      // A ping shows that the connection lives, not that there is more to tell.
      if (!change && !follow) continue
      clearTimeout(timer)
      timer = setTimeout(() => stop.abort(), patience)
    }
    return stop.signal.aborted && !follow
  } catch (error) {
    if (stop.signal.aborted) return !follow
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Its place in the log, when, what, on which board, by whom, and what it was about. */
function lineOf({ id, created_at, type, project_id, actor, data }: Change): string {
  const { ticket_number, title, name, summary, agent_name, reason, changed } = data
  const what = [ticket_number, title ?? name ?? summary, agent_name, reason]
  const about = [...what, Array.isArray(changed) && changed.join(', ')]
  return [id, cell(created_at), type, project_id && `board ${project_id}`, actor.name, ...about]
    .filter(Boolean)
    .map(plain)
    .join('  ')
}
