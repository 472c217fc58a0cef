import { afterAll, expect, test } from 'bun:test'
import { startLightLoad } from '../../scripts/bench/light-load.ts'

const methods: string[] = []
let pauseMs = 0
let status = 200
const server = Bun.serve({
  port: 0,
  async fetch({ method }) {
    methods.push(method)
    await Bun.sleep(pauseMs)
    return Response.json({ data: {} }, { status })
  },
})
afterAll(() => server.stop(true))

async function runLoad(milliseconds: number) {
  const { origin: url } = server.url
  const load = startLightLoad({ url, token: 'key', project_id: 1, keys: ['HOM-1', 'HOM-2'] })
  await Bun.sleep(milliseconds)
  return load.stop()
}

test('a light load sends 20 reads and writes per second, also while responses are slow', async () => {
  pauseMs = 400
  const { times, failures } = await runLoad(1000)
  expect(times.length).toBeWithin(19, 25)
  expect(failures).toBe(0)
  expect(Math.min(...times)).toBeGreaterThan(390)
  expect(methods.slice(0, 5).toSorted()).toEqual(['GET', 'GET', 'GET', 'PATCH', 'POST'])
})

test('refused requests of a light load are counted as failures', async () => {
  ;[pauseMs, status] = [0, 503]
  const { times, failures } = await runLoad(200)
  expect(failures).toBeGreaterThan(2)
  expect(failures).toBe(times.length)
})
