import { connect, createServer, type Socket } from 'node:net'

/** A statement as it went to the database server, with its values as text. */
export interface Statement {
  text: string
  name?: string
  values?: (string | null)[]
}

/** Stands between a server and its database, and writes down what the one asks of the other. */
export async function recorder(database: string) {
  const { hostname, port } = new URL(database)
  const heard: Statement[] = []
  const sockets = new Set<Socket>()
  const proxy = createServer((socket) => {
    const upstream = connect(Number(port), hostname)
    const listen = listener((statement) => heard.push(statement))
    socket.on('data', listen)
    socket.pipe(upstream)
    upstream.pipe(socket)
    for (const one of [socket, upstream]) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => sockets.delete(one))
    }
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const address = new URL(database)
  address.port = String((proxy.address() as { port: number }).port)
  return {
    url: address.href,
    /** What was heard since the last time. */
    take: () => heard.splice(0),
    stop() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}

/** Reads one connection's messages: simple queries, and prepared ones as they are bound. */
function listener(tell: (statement: Statement) => void) {
  const texts = new Map<string, string>()
  let rest = Buffer.alloc(0)
  let greeted = false
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      // The greeting alone has no letter before its length.
      const head = greeted ? 1 : 0
      if (rest.byteLength < head + 4) return
      const end = head + rest.readUInt32BE(head)
      if (rest.byteLength < end) return
      const statement = greeted && read(rest[0]!, rest.subarray(5, end), texts)
      if (statement) tell(statement)
      greeted = true
      rest = rest.subarray(end)
    }
  }
}

const [QUERY, PARSE, BIND] = Buffer.from('QPB') as unknown as [number, number, number]

function read(kind: number, body: Buffer, texts: Map<string, string>): Statement | undefined {
  const fields = new Fields(body)
  if (kind === QUERY) return { text: fields.text() }
  if (kind === PARSE) texts.set(fields.text(), fields.text())
  if (kind !== BIND) return undefined
  fields.text()
  const name = fields.text()
  for (let formats = fields.int16(); formats > 0; formats--) fields.int16()
  const values = Array.from({ length: fields.int16() }, () => fields.value())
  return { text: texts.get(name) ?? '', ...(name && { name }), values }
}

class Fields {
  private at = 0

  constructor(private readonly body: Buffer) {}

  text(): string {
    const end = this.body.indexOf(0, this.at)
    const text = this.body.toString('utf8', this.at, end)
    this.at = end + 1
    return text
  }

  int16(): number {
    this.at += 2
    return this.body.readInt16BE(this.at - 2)
  }

  value(): string | null {
    const length = this.body.readInt32BE(this.at)
    this.at += 4
    if (length < 0) return null
    this.at += length
    return this.body.toString('utf8', this.at - length, this.at)
  }
}
