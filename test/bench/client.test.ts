import { afterEach, expect, test } from 'bun:test'
import type { Socket, TCPSocketListener } from 'bun'
import { load, requestOf, roundRobin } from '../../scripts/bench/client.ts'

const servers: TCPSocketListener[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.stop(true)
})

/** Starts a server that responds to each request with these pieces, one after the other. */
function startServer(...pieces: string[]) {
  const requests: string[] = []
  const respond = async (socket: Socket, chunk: Buffer) => {
    requests.push(chunk.toString())
    for (const piece of pieces) {
      if (piece === 'end') socket.end()
      else socket.write(piece)
      socket.flush()
      await Bun.sleep(1)
    }
  }
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: respond } })
  servers.push(server)
  return { target: { port: server.port, pid: process.pid }, requests }
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n'
const next = roundRobin([requestOf('GET', '/one'), requestOf('GET', '/two')])

test('a connection reads each response to its end before the next request, and counts it once', async () => {
  const { target, requests } = startServer(OK.slice(0, 20), OK.slice(20), 'he', 'llo')
  const { rate, p50, client } = await load({ target, connections: 3, next })(0.2)
  expect(requests.length).toBeGreaterThan(6)
  // The four pieces are sent a millisecond apart.
  expect(p50).toBeGreaterThan(2.5)
  expect(Math.abs(rate * 0.2 - requests.length)).toBeLessThan(requests.length / 4)
  expect(client).toBeGreaterThan(0)
  for (const one of requests) expect(one.match(/HTTP\/1\.1/g)).toHaveLength(1)
})

test('requests are sent in turn, with their credential and body', async () => {
  const { target, requests } = startServer(OK, 'hello')
  await load({
    target,
    connections: 1,
    next: roundRobin([requestOf('GET', '/a'), requestOf('GET', '/b')]),
  })(0.05)
  expect(requests.slice(0, 3).map((one) => one.split(' ')[1])).toEqual(['/a', '/b', '/a'])
  expect(requestOf('POST', '/c', { token: 'key', body: { title: 'Ü' } }).toString()).toBe(
    'POST /c HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer key\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"title":"Ü"}',
  )
})

test('with a rate, requests are sent when they are due, and times include the wait for it', async () => {
  const { target, requests } = startServer(OK, 'hello')
  await load({ target, connections: 50, next, rate: 200 })(0.5)
  expect(requests.length).toBeWithin(60, 141)
  // A response takes 2 ms, so that one connection falls behind more and more.
  const busy = await load({ target, connections: 1, next, rate: 5000 })(0.2)
  expect(busy.p99).toBeGreaterThan(200)
})

const run = (target: { port: number; pid: number }, refusal?: string) =>
  load({ target, connections: 2, next, refusal })(5)

test('an error status, a refusal or a response without a length ends the run', async () => {
  const failed = startServer('HTTP/1.1 500 Oh\r\ncontent-length: 5\r\n\r\n', 'sorry')
  await expect(run(failed.target)).rejects.toThrow('500 Oh')
  const target = startServer(OK.replace('5', '16'), '{"isError":true}')
  await expect(run(target.target, '"isError":true')).rejects.toThrow('isError')
  const endless = startServer('HTTP/1.1 200 OK\r\n\r\n', 'hello')
  await expect(run(endless.target)).rejects.toThrow('200 OK')
})

test('a response in chunks counts once, after its last chunk', async () => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel'
  const { target, requests } = startServer(
    head,
    'lo\r\n1',
    '0\r\n0123456789abcdef\r\n0\r\n',
    '\r\n',
  )
  const { rate, p50 } = await load({ target, connections: 2, next })(0.2)
  expect(requests.length).toBeGreaterThan(6)
  expect(p50).toBeGreaterThan(2.5)
  expect(Math.abs(rate * 0.2 - requests.length)).toBeLessThan(requests.length / 4)
})

test('a closed connection ends the run', async () => {
  const { target } = startServer(OK, 'end')
  await expect(run(target)).rejects.toThrow('closed a connection')
})
