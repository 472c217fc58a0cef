import type { AnyOperation } from '../../../kernel/operation.ts'
import { type Client, Refused } from '../client.ts'
import { Failed } from '../command.ts'
import type { Outside } from '../outside.ts'
import { asTyped } from '../refusal.ts'
import { plain, safe, table } from '../table.ts'
import { callLine } from './show.ts'
import { settled, shortfall, type Talk } from './talk.ts'

const HELP = `Write what you want, and Enter sends it. Ctrl+C stops an answer, and leaves where none is given.
  /new      begin another thread
  /threads  the last threads; cork chat --thread NUMBER goes on with one
  /skills   what can be called as /slug, with what it is for
  /undo     take back the last change of this conversation
  /retry    have the last answer again
  /help     this
  /quit     leave`

interface Seat {
  talk: Talk
  client: Client
  outside: Outside
  catalog: readonly AnyOperation[]
  project_id: number | undefined
  allow: boolean
}

type Row = Record<string, unknown>

const rowsOf = async ({ client }: Seat, path: string): Promise<Row[]> =>
  (await client.send({ method: 'GET', path })).data as Row[]

/** What is typed with a slash, and is no skill. */
const WORDS: Record<string, (seat: Seat) => Promise<void> | void> = {
  help: ({ outside }) => outside.err(HELP),
  new({ talk, outside }) {
    talk.anew()
    outside.err('A new thread begins with what you write next')
  },
  async threads(seat) {
    const { out, screen } = seat.outside
    const rows = await rowsOf(seat, '/api/chat/threads')
    out(
      table(
        rows.map((row) => [row.thread_id, row.title]),
        ['thread', 'title'],
        screen,
      ),
    )
  },
  async skills(seat) {
    const { out, err, screen } = seat.outside
    const board = seat.project_id && `/api/v1/projects/${seat.project_id}/skills?limit=100`
    const rows = [
      ...(await rowsOf(seat, '/api/v1/skills?limit=100')),
      ...(board ? await rowsOf(seat, board) : []),
    ].filter(({ enabled }) => enabled)
    // The board's wins over one's own of the same name.
    const skills = new Map(rows.map(({ slug, description }) => [`/${slug}`, description]))
    const cells = [...skills]
    if (cells.length) out(table(cells, ['skill', 'what it is for'], screen))
    else err('There are no skills; "cork skills --help" tells how to make one')
  },
  async undo({ talk, outside }) {
    const call = await talk.undo()
    outside.err(call ? callLine(call) : 'Nothing in this conversation can be taken back')
  },
  async retry(seat) {
    if (seat.talk.thread_id === undefined) seat.outside.err('Nothing was said yet')
    else await answered(seat, () => seat.talk.retry())
  },
}

/** Line by line, until the person leaves. */
export async function converse(seat: Seat): Promise<void> {
  const { outside, client } = seat
  const { data } = await client.send({ method: 'GET', path: '/api/chat' })
  const { configured, model, hint } = data as { configured: boolean; model: string; hint?: string }
  if (!configured) throw new Failed(safe(`There is no model here that could answer. ${hint ?? ''}`))
  outside.err(`You talk with ${plain(model)}. /help tells more, Ctrl+C leaves.`)
  const past: string[] = []
  for (;;) {
    const said = await outside.line!('> ', past)
    if (said === undefined || said === '/quit') return
    if (!said) continue
    past.push(said)
    try {
      const word = Object.hasOwn(WORDS, said.slice(1)) && said.startsWith('/') && said.slice(1)
      if (word) await WORDS[word]!(seat)
      else await answered(seat, () => seat.talk.say(said, seat.allow))
    } catch (error) {
      // What is refused, or goes wrong on the way, ends no conversation.
      if (!(error instanceof Refused || error instanceof Failed)) throw error
      outside.err((asTyped(error, seat.catalog) as Error).message)
    }
  }
}

async function answered({ talk, outside }: Seat, ask: () => ReturnType<Talk['say']>) {
  const done = await settled(talk, await ask(), outside)
  const why = shortfall(done, talk.thread_id)
  if (why) outside.err(why)
}
