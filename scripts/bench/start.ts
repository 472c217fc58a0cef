import { call } from './api.ts'
import type { BenchServers } from './bench-servers.ts'
import type { Row } from './report.ts'
import { type Sample, sampleOf, spreadOf } from './sample.ts'
import { compileBaselineServer, environment, freePort, residentMegabytes } from './servers.ts'

const TIMEOUT_MS = 20_000
const MEMORY_ROUNDS = 3

/** A server that can be started many times. */
interface Startable {
  command: (port: string) => string[]
  /** Requests of this path succeed once the server is ready. */
  path: string
}

interface StartableProduct extends Startable {
  token: string
  ticket: string
}

export async function start(bench: BenchServers): Promise<Row[]> {
  const bare = await startableBaseline()
  const small = await startableProduct(bench, 'small')
  const large = await startableProduct(bench, 'large')
  const times = { bare: [] as number[], small: [] as number[], large: [] as number[] }
  const rounds = bench.settings.rounds * 3
  for (let round = -1; round < rounds; round++)
    for (const [name, startable] of Object.entries({ bare, small, large })) {
      const milliseconds = await timeStart(startable)
      // The first start of each fills the page cache and is not counted.
      if (round >= 0) times[name as keyof typeof times].push(milliseconds)
    }
  const row = (size: 'small' | 'large', tasks: number): Row => ({
    ...{ group: 'start', measurement: `first response, existing database of ${tasks} tasks` },
    ...{ sample: sampleOfStarts(times[size]), baselineName: 'first response of a bare server' },
    ...{ baseline: sampleOfStarts(times.bare), unit: '×', target: { max: 3 } },
    figure: spreadOf(times[size].map((ms, round) => ms / times.bare[round]!)),
  })
  return [
    row('small', bench.sizes.small),
    row('large', bench.sizes.all),
    await commandRow(bench, small),
    ...(await memoryRows(bench, bare, small)),
  ]
}

async function startableBaseline(): Promise<Startable> {
  const binary = await compileBaselineServer()
  return { command: (port) => [binary, port], path: '/' }
}

async function startableProduct(
  bench: BenchServers,
  size: 'small' | 'large',
): Promise<StartableProduct> {
  const { folder, api_key, boards } = await bench.copyData(size)
  return {
    command: (port) => [bench.binary, 'serve', '--data', folder, '--port', port],
    ...{ path: '/readyz', token: api_key, ticket: `${boards[0]!.key}-1` },
  }
}

/** A rate of starts has no meaning, so it is left out. */
const sampleOfStarts = (times: number[]): Sample => ({
  ...sampleOf(times, 1, { client: Number.NaN, server: Number.NaN }),
  rate: Number.NaN,
})

/** Returns the milliseconds from starting the process to the end of its first successful response. */
const timeStart = (startable: Startable) =>
  withProcess(startable, async (_, __, startMs) => startMs)

/** Starts a server, waits until it is ready, runs a job and stops it. */
async function withProcess<T>(
  { command, path }: Startable,
  job: (url: string, pid: number, startMs: number) => Promise<T>,
): Promise<T> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const startedAt = performance.now()
  const run = Bun.spawn(command(String(port)), {
    env: environment(),
    stdout: 'ignore',
    stderr: 'inherit',
  })
  try {
    while (!(await isReady(url + path))) {
      if (run.exitCode !== null) throw new Error(`${command('N').join(' ')} ended unexpectedly`)
      if (performance.now() - startedAt > TIMEOUT_MS)
        throw new Error(`No response within ${TIMEOUT_MS} ms`)
      await Bun.sleep(1)
    }
    return await job(url, run.pid, performance.now() - startedAt)
  } finally {
    run.kill()
    await run.exited
  }
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(url, { keepalive: false }).catch(() => undefined)
  await response?.arrayBuffer()
  return response?.ok ?? false
}

/** Measures a whole command, from its start to its end. */
async function commandRow({ binary, settings }: BenchServers, product: StartableProduct) {
  const env = (CORK_URL: string) => environment({ CORK_URL, CORK_TOKEN: product.token })
  const times = await withProcess(product, async (url) => {
    const measured: number[] = []
    for (let round = -1; round < settings.rounds * 3; round++) {
      const startedAt = performance.now()
      const run = Bun.spawn([binary, 'tasks', 'get', product.ticket], {
        env: env(url),
        stdout: 'pipe',
      })
      await new Response(run.stdout).text()
      if ((await run.exited) !== 0) throw new Error(`cork tasks get ${product.ticket} failed`)
      // The first command fills the page cache and is not counted.
      if (round >= 0) measured.push(performance.now() - startedAt)
    }
    return measured
  })
  const row: Row = {
    ...{ group: 'start', measurement: 'cork tasks get, the whole command', unit: 'ms' },
    ...{ sample: sampleOfStarts(times), figure: spreadOf(times), target: { max: 45 } },
  }
  return row
}

/** Measures the memory of idle servers after one request. */
async function memoryRows(
  { settings, sizes }: BenchServers,
  bare: Startable,
  product: StartableProduct,
): Promise<Row[]> {
  const megabytes = { bare: [] as number[], product: [] as number[] }
  const getTask = (url: string) =>
    call(url, product.token, 'GET', `/api/v1/tasks/${product.ticket}`)
  const measure = (startable: Startable, request: (url: string) => Promise<unknown>) =>
    withProcess(startable, async (url, pid) => {
      await request(url)
      await Bun.sleep(settings.seconds * 1000)
      return residentMegabytes(pid)
    })
  for (let round = 0; round < Math.min(MEMORY_ROUNDS, settings.rounds); round++) {
    megabytes.bare.push(await measure(bare, async () => {}))
    megabytes.product.push(await measure(product, getTask))
  }
  return [
    {
      ...{ group: 'start', unit: 'MB', target: { max: 80 } },
      measurement: `memory when idle, after one request, ${sizes.small} tasks`,
      figure: spreadOf(megabytes.product),
    },
    {
      ...{ group: 'start', unit: 'MB', measurement: 'memory of a bare server when idle' },
      figure: spreadOf(megabytes.bare),
    },
  ]
}
