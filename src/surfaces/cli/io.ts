import { homedir } from 'node:os'
import { join } from 'node:path'
import { CommandError, UsageError } from './command.ts'
import { type Screen, safe, screenOf } from './table.ts'

/** Everything outside of the process that a command uses, so that tests can replace it. */
export interface CommandIO {
  env: Record<string, string | undefined>
  /** The current folder. */
  cwd(): string
  fetch(request: Request): Promise<Response>
  /** Prints lines to standard output. The last line end is added. */
  out(text: string): void
  /** Writes a text to standard output without changes. */
  exact(text: string): Promise<void>
  err(text: string): void
  /** Reads all of standard input. */
  input(): Promise<string>
  /** Reads standard input line by line, until it is closed. */
  lines(): AsyncIterable<string>
  /** Asks the person at the terminal for a line. Undefined without a terminal. */
  ask: ((question: string, hidden?: boolean) => Promise<string>) | undefined
  /** Reads the next line of a conversation, with the history for editing. Undefined at its end. */
  line: ((prompt: string, history: readonly string[]) => Promise<string | undefined>) | undefined
  /** Handles Ctrl+C instead of exiting, until the returned function is called. */
  onInterrupt(handler: () => void): () => void
  sleep(ms: number): Promise<void>
  /** Opens an address in the browser of the person at the terminal, if there is one. */
  browse(url: string): Promise<void>
  screen: Screen
}

export const processIO = (): CommandIO => ({
  env: process.env,
  cwd: () => process.cwd(),
  fetch: (request) => fetch(request),
  // Unlike process.stdout.write, console.log waits for slow readers and ignores closed pipes.
  out: (text) => console.log(text),
  exact,
  // Unlike console.error, this does not colour the text red.
  err: (text) => void process.stderr.write(`${safe(text)}\n`),
  input,
  lines,
  ask: process.stdin.isTTY && process.stderr.isTTY ? askLine : undefined,
  line: process.stdin.isTTY && process.stderr.isTTY ? readLine : undefined,
  onInterrupt(handler) {
    process.on('SIGINT', handler)
    return () => void process.off('SIGINT', handler)
  },
  sleep: (ms) => Bun.sleep(ms),
  browse,
  screen: screenOf(),
})

const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

async function browse(url: string): Promise<void> {
  if (!process.stdout.isTTY) return
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  if (!Bun.which(command!)) return
  Bun.spawn([command!, ...args, url], { stdio: ['ignore', 'ignore', 'ignore'] }).unref()
}

async function exact(text: string): Promise<void> {
  try {
    await Bun.write(Bun.stdout, text)
  } catch (error) {
    // The reader may close the pipe early, as `head` does.
    if ((error as { code?: string }).code !== 'EPIPE') throw error
  }
}

async function input(): Promise<string> {
  try {
    return decodeUtf8(await Bun.stdin.bytes())
  } catch (error) {
    throw new UsageError(`Standard input cannot be read: ${(error as Error).message}`)
  }
}

async function* lines(): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let parts: string[] = []
  for await (const chunk of Bun.stdin.stream()) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    parts.push(first)
    for (const other of others) {
      yield parts.join('')
      parts = [other]
    }
  }
  if (parts.some(Boolean)) yield parts.join('')
}

/** Decodes UTF-8 strictly. Otherwise invalid bytes would become replacement characters. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error('it is not UTF-8 text')
  }
}

/** Questions go to standard error, because standard output is for results. */
async function askLine(question: string, hidden = false): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const { Writable } = await import('node:stream')
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = hidden ? discard : process.stderr
  const reader = createInterface({ input: process.stdin, output, terminal: true })
  // The question is written after the interface has turned off the terminal's echo.
  if (hidden) process.stderr.write(question)
  try {
    return (await reader.question(hidden ? '' : question)).trim()
  } catch {
    throw new CommandError('Interrupted before it finished')
  } finally {
    reader.close()
    if (hidden) process.stderr.write('\n')
  }
}

/** The interface exists only while a line is typed, so that Ctrl+C is handled in between. */
async function readLine(prompt: string, past: readonly string[]): Promise<string | undefined> {
  const { createInterface } = await import('node:readline')
  const history = past.toReversed()
  const reader = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: true,
    history,
  })
  const typed = await new Promise<string | undefined>((resolve) => {
    reader.once('close', () => resolve(undefined))
    reader.once('SIGINT', () => resolve(undefined))
    reader.question(prompt, resolve)
  })
  reader.close()
  if (typed === undefined) process.stderr.write('\n')
  return typed?.trim()
}

/** The folder for the person's settings, by the conventions of the system. */
export function settingsFolder(
  env: CommandIO['env'],
  platform: NodeJS.Platform = process.platform,
): string {
  if (platform === 'win32') return join(env.APPDATA || homedir(), 'corkboard')
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'corkboard')
}
