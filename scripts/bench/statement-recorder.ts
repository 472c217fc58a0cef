import { connect, createServer, type Socket } from 'node:net'

/** A statement that was sent to PostgreSQL, with its values as text. */
export interface Statement {
  text: string
  name?: string
  values?: (string | null)[]
}

/** Starts a proxy between a server and its database that records all statements. */
export async function startRecorder(database: string) {
  const { hostname, port } = new URL(database)
  const recorded: Statement[] = []
  const sockets = new Set<Socket>()
  const proxy = createServer((socket) => {
    const upstream = connect(Number(port), hostname)
    const parse = messageParser((statement) => recorded.push(statement))
    socket.on('data', parse)
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
    /** Returns the statements since the last call. */
    take: () => recorded.splice(0),
    stop() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}

/**
 * Parses the messages of one connection: simple queries, and prepared statements each time that they
 * are bound.
 */
function messageParser(onStatement: (statement: Statement) => void) {
  const texts = new Map<string, string>()
  let rest = Buffer.alloc(0)
  let isStarted = false
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      // Only the startup message has no type byte before its length.
      const head = isStarted ? 1 : 0
      if (rest.byteLength < head + 4) return
      const end = head + rest.readUInt32BE(head)
      if (rest.byteLength < end) return
      const statement = isStarted && parseMessage(rest[0]!, rest.subarray(5, end), texts)
      if (statement) onStatement(statement)
      isStarted = true
      rest = rest.subarray(end)
    }
  }
}

const [QUERY, PARSE, BIND] = Buffer.from('QPB') as unknown as [number, number, number]

function parseMessage(
  kind: number,
  body: Buffer,
  texts: Map<string, string>,
): Statement | undefined {
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

/** Reads the fields of a message one after another. */
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
