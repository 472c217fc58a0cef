import type { OperationDescription } from '../../../kernel/operation.ts'
import { Client } from '../client.ts'
import { type Command, CommandError, UsageError } from '../command.ts'
import type { CommandIO } from '../io.ts'
import { withCommandHints } from '../refusal.ts'
import { findBoardId, restSource } from '../resolve-names.ts'
import { runConversation } from './conversation.ts'
import type { Done } from './event.ts'
import { printJson, printText } from './print-events.ts'
import { type About, answerWaitingCalls, ChatSession, incompleteReason } from './session.ts'

const ALLOW: Command['flags'][string] = {
  type: 'boolean',
  about: 'Make changes without asking; destructive changes still need your approval',
}
const JSON_LINES: Command['flags'][string] = {
  type: 'boolean',
  about: 'Print each event as a line of JSON; never asks for approval',
}
const THREAD = {
  name: 'thread_id',
  about: 'Number of the thread, from "cork chat threads"',
  required: true,
} as const

/** The chat commands. The model acts with the rights of the caller. */
export function chat(
  catalog: readonly OperationDescription[],
  io: CommandIO,
): Record<string, Command> {
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

const talkCommand = (catalog: readonly OperationDescription[], io: CommandIO): Command => ({
  summary: 'Chat with the model of the server, which acts as you',
  about:
    'With a message it prints one answer; without one it starts a conversation, where /help lists the commands. - reads the message from standard input. The model asks before it changes anything. "cork chat threads" lists earlier threads. Put -- before a message that begins like such a command.',
  example: "cork chat 'What is overdue on HOM?'",
  args: [
    { name: 'words', about: 'Your message; start it with /slug to call a skill', variadic: true },
  ],
  flags: {
    board: {
      type: 'string',
      hint: 'BOARD',
      alias: 'project',
      about: 'Board of a new thread: number, key or title',
    },
    task: { type: 'string', hint: 'TASK', about: 'Task of a new thread' },
    thread: { type: 'string', hint: 'NUMBER', about: 'Continue this thread' },
    'allow-writes': ALLOW,
    json: JSON_LINES,
  },
  async run({ board, task, thread, json, ...values }, { words = [] }) {
    if (thread !== undefined && (board ?? task) !== undefined)
      throw new UsageError('--board and --task are only for new threads: omit them with --thread')
    const thread_id = thread === undefined ? undefined : parseId('--thread', thread)
    const message = words.length === 1 && words[0] === '-' ? await io.input() : words.join(' ')
    const isSingleMessage = words.length > 0
    if (isSingleMessage && !message.trim()) throw new UsageError('The message is empty')
    if (!isSingleMessage && (!io.line || json !== undefined))
      throw new UsageError(
        'Without a terminal, pass the message: cork chat "…", or cork chat - < FILE',
      )
    const client = new Client(io)
    const project_id =
      board === undefined
        ? undefined
        : Number(await findBoardId(board, restSource(client, catalog)))
    const about: About = { ...(project_id && { project_id }), ...(task && { task }) }
    const session = openSession(client, io, json, { about, thread_id })
    const allow = values['allow-writes'] !== undefined
    if (isSingleMessage) return finishAnswer(session, await session.say(message, allow), io, json)
    await runConversation({ session, client, io, catalog, project_id, allow })
    return 0
  },
})

const confirmCommand = (io: CommandIO): Command => ({
  summary: 'Approve or decline a waiting call of a thread',
  about: 'The call runs with exactly the input that was shown, and the answer continues.',
  example: 'cork chat confirm 1 call_1',
  args: [
    THREAD,
    { name: 'call_id', about: 'Id of the call, as the thread shows it', required: true },
  ],
  flags: {
    deny: { type: 'boolean', about: 'Decline the call' },
    'allow-writes': ALLOW,
    json: JSON_LINES,
  },
  async run({ thread_id, call_id, deny, json, ...values }) {
    const allow = values['allow-writes'] !== undefined
    if (deny !== undefined && allow)
      throw new UsageError('Use either --deny or --allow-writes, not both')
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
  summary: 'Regenerate the last answer of a thread',
  about: 'Changes made by the last answer are kept.',
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
    io.err(`Thread ${session.thread_id}; continue with: cork chat --thread ${session.thread_id}`)
  return 0
}
