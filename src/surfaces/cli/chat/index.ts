import type { AnyOperation } from '../../../kernel/operation.ts'
import { Client } from '../client.ts'
import { type Command, Failed, WrongUsage } from '../command.ts'
import { boardNamed } from '../naming.ts'
import type { Outside } from '../outside.ts'
import { asTyped } from '../refusal.ts'
import { converse } from './conversation.ts'
import { asLines, asWords } from './show.ts'
import { type About, settled, shortfall, Talk } from './talk.ts'
import type { Done } from './told.ts'

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

/** Conversations with a model, who acts with the rights of whoever asks. */
export function chat(catalog: readonly AnyOperation[], outside: Outside): Record<string, Command> {
  const commands = {
    chat: saying(catalog, outside),
    'chat confirm': confirming(outside),
    'chat retry': retrying(outside),
  }
  const typed = (command: Command): Command => ({
    ...command,
    run: (...said) =>
      command.run(...said).catch((error) => {
        throw asTyped(error, catalog)
      }),
  })
  return Object.fromEntries(Object.entries(commands).map(([name, one]) => [name, typed(one)]))
}

const saying = (catalog: readonly AnyOperation[], outside: Outside): Command => ({
  summary: 'Talk with the model of the server, which acts as you',
  about:
    'With words it is one answer; without, a conversation line by line, where /help tells more. - reads the words from standard input. Before it changes something it asks you. "cork chat threads" lists what was said before; a message that begins like such a command comes after --.',
  example: "cork chat 'What is overdue on HOM?'",
  args: [
    { name: 'words', about: 'What you say; /slug at its beginning calls a skill', many: true },
  ],
  flags: {
    board: {
      type: 'string',
      hint: 'BOARD',
      also: 'project',
      about: 'What a new thread is about; a key or title will do',
    },
    task: { type: 'string', hint: 'TASK', about: 'The task that a new thread is about' },
    thread: { type: 'string', hint: 'NUMBER', about: 'Go on with this thread' },
    'allow-writes': ALLOW,
    json: JSON_LINES,
  },
  async run({ board, task, thread, json, ...values }, { words = [] }) {
    if (thread !== undefined && (board ?? task) !== undefined)
      throw new WrongUsage('A thread knows what it is about: leave out --board and --task')
    const thread_id = thread === undefined ? undefined : numberOf('--thread', thread)
    const said = words.length === 1 && words[0] === '-' ? await outside.input() : words.join(' ')
    const isOne = words.length > 0
    if (isOne && !said.trim()) throw new WrongUsage('There are no words to send')
    if (!isOne && (!outside.line || json !== undefined))
      throw new WrongUsage('Without a terminal say it in one: cork chat "…", or cork chat - < FILE')
    const client = new Client(outside)
    const project_id =
      board === undefined ? undefined : Number(await boardNamed(board, { client, catalog }))
    const about: About = { ...(project_id && { project_id }), ...(task && { task }) }
    const talk = talkOf(client, outside, json, { about, thread_id })
    const allow = values['allow-writes'] !== undefined
    if (isOne) return ended(talk, await talk.say(said, allow), outside, json)
    await converse({ talk, client, outside, catalog, project_id, allow })
    return 0
  },
})

const confirming = (outside: Outside): Command => ({
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
      throw new WrongUsage('--deny and --allow-writes contradict each other')
    const thread = { thread_id: numberOf('<thread_id>', thread_id!) }
    const talk = talkOf(new Client(outside), outside, json, thread)
    return ended(talk, await talk.confirm(call_id!, deny === undefined, allow), outside, json)
  },
})

const retrying = (outside: Outside): Command => ({
  summary: 'Have the last answer of a thread given again',
  about: 'What the last one changed stays changed.',
  example: 'cork chat retry 1',
  args: [THREAD],
  flags: { json: JSON_LINES },
  async run({ thread_id, json }) {
    const thread = { thread_id: numberOf('<thread_id>', thread_id!) }
    const talk = talkOf(new Client(outside), outside, json, thread)
    return ended(talk, await talk.retry(), outside, json)
  },
})

function numberOf(said: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw new WrongUsage(`${said} must be a number, not "${text}"`)
}

function talkOf(
  client: Client,
  outside: Outside,
  json: string | undefined,
  { about = {}, thread_id }: { about?: About; thread_id: number | undefined },
): Talk {
  const show = json === undefined ? asWords(outside) : asLines(outside)
  return new Talk(client, outside, show, about, thread_id)
}

/** The exit code of an answer, once all that waits in it was answered. */
async function ended(talk: Talk, first: Done, outside: Outside, json: string | undefined) {
  const quiet = { ...outside, ask: json === undefined ? outside.ask : undefined }
  const done = await settled(talk, first, quiet)
  const why = shortfall(done, talk.thread_id)
  if (why) throw new Failed(why)
  if (json === undefined && outside.line)
    outside.err(`Thread ${talk.thread_id}; go on with: cork chat --thread ${talk.thread_id}`)
  return 0
}
