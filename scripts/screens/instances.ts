import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cookie } from 'playwright-core'
import { binary } from '../build.ts'
import { startScriptedModel } from './model.ts'

// biome-ignore lint/suspicious/noExplicitAny: callers read a few fields of many responses
type Answer = any

/** A running executable with its own data folder, and a signed-in person. */
export interface Instance {
  url: string
  cookies: Pick<Cookie, 'name' | 'value'>[]
  project_id: number
  /** Sends a request and returns the data of the response. */
  call(method: string, path: string, body?: object): Promise<Answer>
  /** The key of a task by its title. */
  key(title: string): string
  /** The path of the setup page, if the server has no owner yet. */
  setUp?: string
  stop(): Promise<void>
}

const ENV = {
  PATH: process.env.PATH ?? '',
  CORK_RATE_LIMIT_BASE: '0',
  CORK_RATE_LIMIT_AGENT: '0',
  CORK_LOG_LEVEL: 'error',
}

/** Starts the executable and waits until its output matches `readyPattern`. */
async function serve(
  data: string,
  readyPattern: RegExp,
  args: readonly string[] = [],
  env: Record<string, string> = {},
) {
  const command = [binary, 'serve', '--data', data, '--port', '0', ...args]
  const run = Bun.spawn(command, { env: { ...ENV, ...env }, stdout: 'pipe', stderr: 'inherit' })
  const reader = run.stdout.pipeThrough(new TextDecoderStream() as never).getReader()
  let out = ''
  while (!readyPattern.test(out)) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`${command.join(' ')} ended before it was ready:\n${out}`)
    out += value
  }
  const stop = async () => {
    run.kill()
    await run.exited
  }
  return { out, url: /^Corkboard is at (\S+)$/m.exec(out)![1]!, stop }
}

const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'cork-screens-'))

/** Signs in and returns the cookies, without the one that starts the tour. */
async function signIn(url: string, email: string, password: string) {
  const response = await fetch(`${url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ email, password }),
  })
  const cookies = response.headers.getSetCookie().map((cookie) => {
    const [pair] = cookie.split(';')
    const equals = pair!.indexOf('=')
    return { name: pair!.slice(0, equals), value: pair!.slice(equals + 1) }
  })
  return cookies.filter(({ name }) => name !== 'cork_first')
}

/** Returns a function that sends requests with this key. */
const caller =
  (url: string, key: string) => async (method: string, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return text ? JSON.parse(text).data : undefined
  }

/** Starts an instance with the demo. */
export async function startDemo(): Promise<Instance> {
  const data = temporaryFolder()
  const model = startScriptedModel()
  const { out, url, stop } = await serve(
    data,
    /None of these is shown again/,
    ['--demo'],
    model.settings(),
  )
  const printed = (name: string) => new RegExp(`${name} +(\\S+)`).exec(out)![1]!
  const call = caller(url, printed('API key'))
  const cards: { title: string; ticket_number: string }[] = (
    await call('GET', '/api/v1/projects/1/board')
  ).cards
  return {
    ...{ url, call, project_id: 1 },
    cookies: await signIn(url, printed('Email'), printed('Password')),
    key: (title) => cards.find((card) => card.title === title)!.ticket_number,
    async stop() {
      await stop()
      model.stop()
      rmSync(data, { recursive: true })
    },
  }
}

const PASSWORD = 'correct horse battery'

/** Starts an instance with a team and an empty board. */
export async function startEmpty(): Promise<Instance> {
  const data = temporaryFolder()
  const owner = ['--email', 'ada@example.com', '--name', 'Ada', '--team', 'Harbour']
  const init = Bun.spawn([binary, 'init', ...owner, '--password-stdin', '--json', '--data', data], {
    env: ENV,
    stdin: new Blob([PASSWORD]),
    stdout: 'pipe',
  })
  const { team_id, api_key } = JSON.parse(await new Response(init.stdout).text())
  const { url, stop } = await serve(data, /^Corkboard is at \S+$/m)
  const call = caller(url, api_key)
  const sections = ['To do', 'Doing', 'Done'].map((title) => ({ title }))
  const board = await call('POST', '/api/v1/projects', { team_id, title: 'Garden', sections })
  return {
    ...{ url, call, project_id: board.project_id },
    cookies: await signIn(url, 'ada@example.com', PASSWORD),
    key: () => '',
    async stop() {
      await stop()
      rmSync(data, { recursive: true })
    },
  }
}

/** Starts an instance without an owner. */
export async function startUnclaimed(): Promise<Instance> {
  const data = temporaryFolder()
  const { out, url, stop } = await serve(data, /Set up Corkboard with this one-time link: \S+\n/)
  return {
    ...{ url, cookies: [], project_id: 0, call: caller(url, ''), key: () => '' },
    setUp: /Set up Corkboard with this one-time link: \S+?(\/setup\S+)/.exec(out)![1]!,
    async stop() {
      await stop()
      rmSync(data, { recursive: true })
    },
  }
}

export interface Instances {
  demo: Instance
  /** Has a team and an empty board. */
  empty: Instance
  /** Has no owner yet. */
  unclaimed: Instance
  stop(): Promise<void>
}

export async function startInstances(): Promise<Instances> {
  const [demo, empty, unclaimed] = await Promise.all([startDemo(), startEmpty(), startUnclaimed()])
  const stop = async () =>
    void (await Promise.all([demo, empty, unclaimed].map((instance) => instance.stop())))
  return { demo, empty, unclaimed, stop }
}
