import { homedir } from 'node:os'
import { join } from 'node:path'
import { Failed, WrongUsage } from './command.ts'
import { type Screen, safe, screenOf } from './table.ts'

/** All that a command touches of the world around it. */
export interface Outside {
  env: Record<string, string | undefined>
  fetch(request: Request): Promise<Response>
  /** Whole lines; the last one needs no end. */
  out(text: string): void
  /** A text as it is, for whoever keeps it in a file. */
  exact(text: string): Promise<void>
  err(text: string): void
  /** All of standard input. */
  input(): Promise<string>
  /** A line from the person at the terminal; undefined where there is nobody. */
  ask: ((question: string, hidden?: boolean) => Promise<string>) | undefined
  /** The next line of a conversation, edited with what was said before at hand; undefined at its end. */
  line: ((prompt: string, past: readonly string[]) => Promise<string | undefined>) | undefined
  /** Hears Ctrl+C instead of ending, until what this answers is called. */
  interrupted(hear: () => void): () => void
  sleep(ms: number): Promise<void>
  screen: Screen
}

export const outside = (): Outside => ({
  env: process.env,
  fetch: (request) => fetch(request),
  // Unlike process.stdout.write it waits for a slow reader, and bears one that went away.
  out: (text) => console.log(text),
  exact,
  // Unlike console.error it does not make all of it red.
  err: (text) => void process.stderr.write(`${safe(text)}\n`),
  input,
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
  line: process.stdin.isTTY && process.stderr.isTTY ? line : undefined,
  interrupted(hear) {
    process.on('SIGINT', hear)
    return () => void process.off('SIGINT', hear)
  },
  sleep: (ms) => Bun.sleep(ms),
  screen: screenOf(),
})

async function exact(text: string): Promise<void> {
  try {
    await Bun.write(Bun.stdout, text)
  } catch (error) {
    // Whoever reads may have seen enough.
    if ((error as { code?: string }).code !== 'EPIPE') throw error
  }
}

async function input(): Promise<string> {
  try {
    return textOf(await Bun.stdin.bytes())
  } catch (error) {
    throw new WrongUsage(`Standard input cannot be read: ${(error as Error).message}`)
  }
}

/** Bytes that are no UTF-8 would be kept as question marks. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error('it is not text in UTF-8')
  }
}

/** What is asked and typed stays off standard output, which belongs to the answer. */
async function ask(question: string, hidden = false): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const { Writable } = await import('node:stream')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = hidden ? silent : process.stderr
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  // Only now does the terminal no longer show by itself what is typed.
  if (hidden) process.stderr.write(question)
  try {
    return (await lines.question(hidden ? '' : question)).trim()
  } catch {
    throw new Failed('Stopped before it was done')
  } finally {
    lines.close()
    if (hidden) process.stderr.write('\n')
  }
}

/** Only while a line is typed does this hold the terminal, so that Ctrl+C is heard in between. */
async function line(prompt: string, past: readonly string[]): Promise<string | undefined> {
  const { createInterface } = await import('node:readline')
  const history = past.toReversed()
  const lines = createInterface({
    ...{ input: process.stdin, output: process.stderr, terminal: true, history },
  })
  const typed = await new Promise<string | undefined>((resolve) => {
    lines.once('close', () => resolve(undefined))
    lines.once('SIGINT', () => resolve(undefined))
    lines.question(prompt, resolve)
  })
  lines.close()
  if (typed === undefined) process.stderr.write('\n')
  return typed?.trim()
}

/** Where this person's settings are kept, by the customs of the system. */
export function settingsFolder(
  env: Outside['env'],
  platform: NodeJS.Platform = process.platform,
): string {
  if (platform === 'win32') return join(env.APPDATA || homedir(), 'corkboard')
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'corkboard')
}
