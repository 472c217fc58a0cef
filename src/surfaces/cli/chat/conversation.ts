import type { OperationDescription } from '../../../kernel/operation.ts'
import { type Client, RefusedError } from '../client.ts'
import { CommandError } from '../command.ts'
import type { CommandIO } from '../io.ts'
import { withCommandHints } from '../refusal.ts'
import { plain, safe, table } from '../table.ts'
import { callLine } from './print-events.ts'
import { answerWaitingCalls, type ChatSession, incompleteReason } from './session.ts'

const HELP = `Type a message and press Enter to send it. Ctrl+C stops the answer, or exits if none is running.
  /new      start a new thread
  /threads  list recent threads; cork chat --thread NUMBER continues one
  /skills   list the skills that you can call as /slug
  /undo     undo the last change of this conversation
  /retry    regenerate the last answer
  /help     show this help
  /quit     exit`

interface Conversation {
  session: ChatSession
  client: Client
  io: CommandIO
  catalog: readonly OperationDescription[]
  project_id: number | undefined
  allow: boolean
}

type Row = Record<string, unknown>

const listRows = async ({ client }: Conversation, path: string): Promise<Row[]> =>
  (await client.send({ method: 'GET', path })).data as Row[]

/** The slash commands of a conversation. All other words with a slash are skills. */
const COMMANDS: Record<string, (conversation: Conversation) => Promise<void> | void> = {
  help: ({ io }) => io.err(HELP),
  new({ session: talk, io }) {
    talk.startThread()
    io.err('Your next message starts a new thread')
  },
  async threads(conversation) {
    const { out, screen } = conversation.io
    const rows = await listRows(conversation, '/api/chat/threads')
    out(
      table(
        rows.map((row) => [row.thread_id, row.title]),
        ['thread', 'title'],
        screen,
      ),
    )
  },
  async skills(conversation) {
    const { out, err, screen } = conversation.io
    const board =
      conversation.project_id && `/api/v1/projects/${conversation.project_id}/skills?limit=100`
    const rows = [
      ...(await listRows(conversation, '/api/v1/skills?limit=100')),
      ...(board ? await listRows(conversation, board) : []),
    ].filter(({ enabled }) => enabled)
    // A skill of the board takes precedence over one's own with the same name.
    const skills = new Map(rows.map(({ slug, description }) => [`/${slug}`, description]))
    const cells = [...skills]
    if (cells.length) out(table(cells, ['skill', 'description'], screen))
    else err('No skills yet. To create one, see "cork skills --help"')
  },
  async undo({ session: talk, io }) {
    const call = await talk.undo()
    io.err(call ? callLine(call) : 'Nothing to undo in this conversation')
  },
  async retry(conversation) {
    if (conversation.session.thread_id === undefined) conversation.io.err('No messages yet')
    else await printAnswerTo(conversation, () => conversation.session.retry())
  },
}

/** Reads messages line by line until the person leaves. */
export async function runConversation(conversation: Conversation): Promise<void> {
  const { io, client } = conversation
  const { data } = await client.send({ method: 'GET', path: '/api/chat' })
  const { configured, model, hint } = data as { configured: boolean; model: string; hint?: string }
  if (!configured) throw new CommandError(safe(`No model is set on this server. ${hint ?? ''}`))
  io.err(`Chatting with ${plain(model)}. Type /help for help, press Ctrl+C to exit.`)
  const history: string[] = []
  for (;;) {
    const line = await io.line!('> ', history)
    if (line === undefined || line === '/quit') return
    if (!line) continue
    history.push(line)
    try {
      const command =
        Object.hasOwn(COMMANDS, line.slice(1)) && line.startsWith('/') && line.slice(1)
      if (command) await COMMANDS[command]!(conversation)
      else
        await printAnswerTo(conversation, () => conversation.session.say(line, conversation.allow))
    } catch (error) {
      // A refused or failed request does not end the conversation.
      if (!(error instanceof RefusedError || error instanceof CommandError)) throw error
      io.err((withCommandHints(error, conversation.catalog) as Error).message)
    }
  }
}

async function printAnswerTo(
  { session: talk, io }: Conversation,
  ask: () => ReturnType<ChatSession['say']>,
) {
  const done = await answerWaitingCalls(talk, await ask(), io)
  const reason = incompleteReason(done, talk.thread_id)
  if (reason) io.err(reason)
}
