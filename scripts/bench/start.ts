import { call } from './call.ts'
import type { Bench } from './house.ts'
import type { Row } from './report.ts'
import { type Sample, sampleOf, spreadOf } from './sample.ts'
import { bareBinary, environment, freePort, residentSize } from './servers.ts'

const MOST_MS = 20_000

interface Start {
  command: (port: string) => string[]
  path: string
}

export async function start(bench: Bench): Promise<Row[]> {
  const bare: Start = { command: await bareCommand(), path: '/' }
  const small = await houseStart(bench, 'small')
  const large = await houseStart(bench, 'large')
  const times = { bare: [] as number[], small: [] as number[], large: [] as number[] }
  const many = bench.pace.rounds * 3
  for (let round = -1; round < many; round++)
    for (const [name, one] of Object.entries({ bare, small, large })) {
      const took = await firstAnswer(one)
      // The first of each fills the page cache.
      if (round >= 0) times[name as keyof typeof times].push(took)
    }
  const row = (name: 'small' | 'large', tasks: number): Row => ({
    ...{ group: 'start', what: `first answer, existing database of ${tasks} tasks` },
    ...{ sample: startsOf(times[name]), yardstick: 'first answer of a bare server' },
    ...{ base: startsOf(times.bare), unit: '×', target: { most: 5 } },
    figure: spreadOf(times[name].map((ms, round) => ms / times.bare[round]!)),
  })
  return [
    row('small', bench.sizes.small),
    row('large', bench.sizes.all),
    ...(await memory(bench, bare, small)),
  ]
}

async function bareCommand() {
  const binary = await bareBinary()
  return (port: string) => [binary, port]
}

async function houseStart(bench: Bench, size: 'small' | 'large'): Promise<Start & { key: string }> {
  const { folder, api_key, boards } = await bench.data(size)
  const command = (port: string) => [bench.binary, 'serve', '--data', folder, '--port', port]
  return { command, path: '/readyz', key: `${api_key} ${boards[0]!.key}-1` }
}

/** Rates say nothing here. */
const startsOf = (times: number[]): Sample => ({
  ...sampleOf(times, 1, { client: Number.NaN, server: Number.NaN }),
  rate: Number.NaN,
})

/** Milliseconds from starting the process to the end of its first good answer. */
const firstAnswer = (start: Start) => running(start, async (_, __, took) => took)

async function running<T>(
  { command, path }: Start,
  job: (url: string, pid: number, took: number) => Promise<T>,
): Promise<T> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const began = performance.now()
  const run = Bun.spawn(command(String(port)), {
    env: environment(),
    stdout: 'ignore',
    stderr: 'inherit',
  })
  try {
    while (!(await answers(url + path))) {
      if (run.exitCode !== null) throw new Error(`${command('N').join(' ')} ended by itself`)
      if (performance.now() - began > MOST_MS) throw new Error(`No answer in ${MOST_MS} ms`)
      await Bun.sleep(1)
    }
    return await job(url, run.pid, performance.now() - began)
  } finally {
    run.kill()
    await run.exited
  }
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { keepalive: false }).catch(() => undefined)
  await response?.arrayBuffer()
  return response?.ok ?? false
}

/** What is held when all is quiet, after one request. */
async function memory(
  { pace, sizes }: Bench,
  bare: Start,
  house: Start & { key: string },
): Promise<Row[]> {
  const [token = '', ticket = ''] = house.key.split(' ')
  const held = { bare: [] as number[], house: [] as number[] }
  for (let round = 0; round < Math.min(3, pace.rounds); round++) {
    held.bare.push(
      await running(
        bare,
        resting(pace.seconds, async () => {}),
      ),
    )
    const get = (url: string) => call(url, token, 'GET', `/api/v1/tasks/${ticket}`)
    held.house.push(await running(house, resting(pace.seconds, get)))
  }
  const what = `memory at rest, after one request, ${sizes.small} tasks`
  return [
    { group: 'start', what, figure: spreadOf(held.house), unit: 'MB', target: { most: 110 } },
    {
      group: 'start',
      what: 'memory at rest of a bare server',
      figure: spreadOf(held.bare),
      unit: 'MB',
    },
  ]
}

const resting =
  (seconds: number, ask: (url: string) => Promise<unknown>) => async (url: string, pid: number) => {
    await ask(url)
    await Bun.sleep(seconds * 1000)
    return residentSize(pid)
  }
