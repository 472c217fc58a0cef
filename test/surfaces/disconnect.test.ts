import { expect, test } from 'bun:test'
import { once } from 'node:events'
import { connect } from 'node:net'
import { addCleanup } from '../support/database.ts'
import { world } from '../support/world.ts'

const TYPES = [
  'application/json',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
]

/** Sends half of the declared body and closes the connection. */
async function disconnectMidBody(port: number, head: string) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(`${head}\r\nHost: localhost\r\nContent-Length: 4000\r\n\r\n{"title": "half`)
  await Bun.sleep(50)
  socket.destroy()
}

test('a client that disconnects in the middle of a body causes no server error on any route', async () => {
  const { app, logRecords, ada } = await world()
  app.listen({ port: 0, hostname: '127.0.0.1' })
  addCleanup(() => void app.server!.stop(true))
  const port = app.server!.port!
  const auth = `Authorization: Bearer ${ada.secret}`
  const routes = app.routes.filter(({ method }) => /^(POST|PUT|PATCH|DELETE)$/.test(method))
  expect(routes.length).toBeGreaterThan(100)
  for (const type of TYPES)
    await Promise.all(
      routes.map(({ method, path }) => {
        const url = path.replace(/:\w+/g, '1')
        return disconnectMidBody(
          port,
          `${method} ${url} HTTP/1.1\r\n${auth}\r\nContent-Type: ${type}`,
        )
      }),
    )
  const headers = { authorization: `Bearer ${ada.secret}` }
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text()
  expect(metrics).toContain('status="499"')
  expect(metrics).not.toContain('status="500"')
  expect(logRecords.filter(({ level }) => Number(level) >= 40)).toEqual([])
})
