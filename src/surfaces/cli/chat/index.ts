import type { AnyOperation } from '../../../kernel/operation.ts'
import { Client } from '../client.ts'
import { type Command, CommandError, UsageError } from '../command.ts'
import type { CommandIO } from '../io.ts'
import { withCommandHints } from '../refusal.ts'
import { findBoardId } from '../resolve-names.ts'
import { runConversation } from './conversation.ts'
import type { Done } from './event.ts'
import { printJson, printText } from './print-events.ts'
import { type About, answerWaitingCalls, ChatSession, incompleteReason } from './session.ts'

const ALLOW: Command['flags'][string] = {
  type: 'boolean',
  about: 'Let it change things without asking; what destroys is asked about all the same',
}
const JSON_LINES: Command['flags'][string] = {
  type: 'boolean',
  about: 'Each event as a line of JSON; nothing is asked',
}
const THREAD = {
  name: 'thread_id',
  about: 'As "cork chat threads" shows it',
  required: true,
} as const

/** The chat commands. The model acts with the rights of the caller. */
export function chat(catalog: readonly AnyOperation[], io: CommandIO): Record<string, Command> {
  const commands = {
    chat: talkCommand(catalog, io),
    'chat confirm': confirmCommand(io),
    'chat retry': retryCommand(io),
  }
  const withHints = (command: Command): Command => ({
    ...command,
    run: (...args) =>
      command.run(...args).catch((error) => {
        throw withCommandHints(error, catalog)
      }),
  })
  return Object.fromEntries(
    Object.entries(commands).map(([name, command]) => [name, withHints(command)]),
  )
}

const talkCommand = (catalog: readonly AnyOperation[], io: CommandIO): Command => ({
  summary: 'Talk with the model of the server, which acts as you',
  about:
    'With words it is one answer; without, a conversation line by line, where /help tells more. - reads the words from standard input. Before it changes something it asks you. "cork chat threads" lists what was said before; a message that begins like such a command comes after --.',
  example: "cork chat 'What is overdue on HOM?'",
  args: [
    { name: 'words', about: 'What you say; /slug at its beginning calls a skill', variadic: true },
  ],
  flags: {
    board: {
      type: 'string',
      hint: 'BOARD',
      alias: 'project',
      about: 'What a new thread is about; a key or title will do',
    },
    task: { type: 'string', hint: 'TASK', about: 'The task that a new thread is about' },
    thread: { type: 'string', hint: 'NUMBER', about: 'Go on with this thread' },
    'allow-writes': ALLOW,
    json: JSON_LINES,
  },
  async run({ board, task, thread, json, ...values }, { words = [] }) {
    if (thread !== undefined && (board ?? task) !== undefined)
      throw new UsageError('A thread knows what it is about: leave out --board and --task')
    const thread_id = thread === undefined ? undefined : parseId('--thread', thread)
    const message = words.length === 1 && words[0] === '-' ? await io.input() : words.join(' ')
    const isSingleMessage = words.length > 0
    if (isSingleMessage && !message.trim()) throw new UsageError('There are no words to send')
    if (!isSingleMessage && (!io.line || json !== undefined))
      throw new UsageError('Without a terminal say it in one: cork chat "…", or cork chat - < FILE')
    const client = new Client(io)
    const project_id =
      board === undefined ? undefined : Number(await findBoardId(board, { client, catalog }))
    const about: About = { ...(project_id && { project_id }), ...(task && { task }) }
    const session = openSession(client, io, json, { about, thread_id })
    const allow = values['allow-writes'] !== undefined
    if (isSingleMessage) return finishAnswer(session, await session.say(message, allow), io, json)
    await runConversation({ session, client, io, catalog, project_id, allow })
    return 0
  },
})

const confirmCommand = (io: CommandIO): Command => ({
  summary: 'Say yes to a call that waits in a thread, or no',
  about: 'The call is made with the very input that was shown, and the answer goes on.',
  example: 'cork chat confirm 1 call_1',
  args: [THREAD, { name: 'call_id', about: 'As the thread shows it', required: true }],
  flags: {
    deny: { type: 'boolean', about: 'Say no' },
    'allow-writes': ALLOW,
    json: JSON_LINES,
  },
  async run({ thread_id, call_id, deny, json, ...values }) {
    const allow = values['allow-writes'] !== undefined
    if (deny !== undefined && allow)
      throw new UsageError('--deny and --allow-writes contradict each other')
    const thread = { thread_id: parseId('<thread_id>', thread_id!) }
    const session = openSession(new Client(io), io, json, thread)
    return finishAnswer(
      session,
      await session.confirm(call_id!, deny === undefined, allow),
      io,
      json,
    )
  },
})

const retryCommand = (io: CommandIO): Command => ({
  summary: 'Have the last answer of a thread given again',
  about: 'What the last one changed stays changed.',
  example: 'cork chat retry 1',
  args: [THREAD],
  flags: { json: JSON_LINES },
  async run({ thread_id, json }) {
    const thread = { thread_id: parseId('<thread_id>', thread_id!) }
    const session = openSession(new Client(io), io, json, thread)
    return finishAnswer(session, await session.retry(), io, json)
  },
})

function parseId(label: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw new UsageError(`${label} must be a number, not "${text}"`)
}

function openSession(
  client: Client,
  io: CommandIO,
  json: string | undefined,
  { about: topic = {}, thread_id }: { about?: About; thread_id: number | undefined },
): ChatSession {
  const show = json === undefined ? printText(io) : printJson(io)
  return new ChatSession(client, io, show, topic, thread_id)
}

/** Finishes an answer, including waiting calls, and returns the exit code. */
async function finishAnswer(
  session: ChatSession,
  first: Done,
  io: CommandIO,
  json: string | undefined,
) {
  const answeringIO = { ...io, ask: json === undefined ? io.ask : undefined }
  const done = await answerWaitingCalls(session, first, answeringIO)
  const reason = incompleteReason(done, session.thread_id)
  if (reason) throw new CommandError(reason)
  if (json === undefined && io.line)
    io.err(`Thread ${session.thread_id}; go on with: cork chat --thread ${session.thread_id}`)
  return 0
}
