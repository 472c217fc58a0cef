import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catalog } from '../../src/catalog.ts'
import { run } from '../../src/commands/run.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { fieldsOf } from '../../src/surfaces/cli/inputs.ts'
import type { CommandIO } from '../../src/surfaces/cli/io.ts'
import { parseJson } from './json.ts'
import type { Outcome } from './surface-calls.ts'
import type { World } from './world.ts'

type Fields = Record<string, unknown>

/** A CommandIO without network, input and output. */
export const silentIO: CommandIO = {
  env: {},
  cwd: () => '/nowhere',
  fetch: () => Promise.reject(new Error('There is no network here')),
  out: () => {},
  exact: () => Promise.resolve(),
  err: () => {},
  input: () => Promise.resolve(''),
  async *lines() {},
  ask: undefined,
  line: undefined,
  onInterrupt: () => () => {},
  sleep: () => Promise.resolve(),
  browse: () => Promise.resolve(),
  screen: { colour: false },
}

/** Runs `cork` with requests that go to the server of this world without a network. */
export function terminal(
  w: Pick<World, 'app'> | undefined,
  actor: { secret: string } | undefined,
  overrides: Partial<CommandIO> = {},
  operations?: readonly AnyOperation[],
) {
  const output = { out: [] as string[], err: [] as string[] }
  const io: CommandIO = {
    ...silentIO,
    env: {
      XDG_CONFIG_HOME: createTemporaryFolder(),
      CORK_URL: 'http://localhost',
      ...(actor && { CORK_TOKEN: actor.secret }),
    },
    ...(w && { fetch: (request: Request) => w.app.handle(request) }),
    out: (text) => output.out.push(text),
    exact: async (text) => void output.out.push(text),
    err: (text) => output.err.push(text),
    ...overrides,
  }
  return {
    io,
    async cork(...words: string[]) {
      output.out = []
      output.err = []
      const code = await run(words, io, operations)
      return { code, out: output.out.join('\n'), err: output.err.join('\n') }
    },
  }
}

const folders: string[] = []

/** A new folder, removed by `removeTemporaryFolders`. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cork-settings-'))
  folders.push(folder)
  return folder
}

export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

/** The command-line arguments for this input, after `cork`. */
export function cliArguments(op: AnyOperation, input: Fields): string[] {
  const fields: Fields = {
    task: input.ticket_number ?? input.task_id ?? input.task_identifier,
    ...input,
  }
  const words: string[] = []
  const flags: string[] = []
  for (const { name, flag } of fieldsOf(op)) {
    const value = fields[name]
    if (value === undefined) continue
    if (!flag) words.push(toText(value))
    else if (flag === 'file') flags.push(...(value as FileInput[]).map(fileFlag))
    else if (typeof value === 'boolean') flags.push(value ? `--${flag}` : `--no-${flag}`)
    else flags.push(`--${flag}=${toText(value)}`)
  }
  const verbs = op.on.cli!.usage.split(' ').filter((word) => /^\w/.test(word))
  return [...verbs, ...flags, '--', ...words]
}

interface FileInput {
  filename: string
  data: string
}

/** Writes the file into a folder and returns the flag that names it. */
function fileFlag({ filename, data }: FileInput): string {
  const path = join(createTemporaryFolder(), filename)
  writeFileSync(path, Buffer.from(data, 'base64'))
  return `--file=${path}`
}

const toText = (value: unknown): string =>
  value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

export async function callCli(
  w: World,
  actor: { secret: string } | undefined,
  op: AnyOperation,
  input: Fields,
): Promise<Outcome> {
  const [noun = '', verb = '', ...rest] = cliArguments(op, input)
  const t = terminal(w, actor, {}, [...catalog, op])
  const { code, out, err } = await t.cork(noun, verb, '--json', ...rest)
  if (code === 0) return { status: 200, data: parseJson(out) }
  const { error, message, details, hint } = parseJson(err)
  return { status: code, fault: { error, message, details, hint } }
}
