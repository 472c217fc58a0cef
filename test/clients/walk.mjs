/** Uses the TypeScript client like a program does. Runs in every runtime, and in browsers. */
export async function walk(
  { createClient, CorkboardError, verifyWebhook },
  { url, token, webhook },
) {
  const client = createClient({ url, token })
  const { teams } = await client.user_context.get()
  const board = await client.projects.create({
    team_id: teams[0].team_id,
    title: 'Harbour office',
    sections: [{ title: 'Next' }, { title: 'Done', is_done: true }],
    labels: [{ name: 'urgent' }],
  })
  const { project_id } = board
  const stop = new AbortController()
  let opened
  const isOpen = new Promise((resolve) => {
    opened = resolve
  })
  const events = client.live({ project_id, signal: stop.signal, onOpen: opened })
  const firstEvent = events.next()
  await isOpen
  await client.tasks.create_many({
    project_id,
    tasks: Array.from({ length: 60 }, (_, number) => ({ title: `Crate ${number}` })),
  })
  const { type } = (await firstEvent).value
  stop.abort()

  const pages = []
  for await (const { items } of client.tasks.list({ project_id, limit: 50 }).pages())
    pages.push(items.length)
  const rows = await client.tasks.list({ project_id, fields: ['title', 'ticket_number'] }).all()
  const key = { idempotencyKey: crypto.randomUUID() }
  const input = { project_id, title: 'Check the crane', labels: ['urgent'] }
  const once = await client.tasks.create(input, key)
  const again = await client.tasks.create(input, key)
  const found = await client.tasks.list({ project_id, labels: ['urgent', 'other'] })
  const task = once.ticket_number
  const { title, labels } = await client.tasks.get({ task })
  const file = new File(['cargo list'], 'cargo.txt', { type: 'text/plain' })
  const uploaded = await client.attachments.upload({ task, file: [file] })
  const [{ attachment_id }] = uploaded.attachments ?? uploaded
  const text = await (await client.attachments.download({ attachment_id })).text()
  const refused = await client.tasks.create({ project_id, title: '' }).catch((error) => error)
  const forged = await verifyWebhook(webhook.secret, webhook.headers, `${webhook.body} `).catch(
    (error) => error.message,
  )
  return {
    ...{ type, pages, rows: rows.length, title, labels: labels.map(({ name }) => name), text },
    repeated: once.task_id === again.task_id,
    found: found.items.map((row) => row.title),
    refused: [refused instanceof CorkboardError, refused.status, refused.details.field],
    webhook: (await verifyWebhook(webhook.secret, webhook.headers, webhook.body)).type,
    forged,
    retried: await retried(createClient, { url, token }),
  }
}

/** How often a write is sent whose first answer is lost, and with how many keys. */
async function retried(createClient, options) {
  const keys = []
  const unreliable = async (address, request) => {
    keys.push(request.headers['idempotency-key'])
    const response = await fetch(address, request)
    return keys.length === 1 ? new Response('', { status: 503 }) : response
  }
  const client = createClient({ ...options, fetch: unreliable })
  const { teams } = await createClient(options).user_context.get()
  await client.teams.rename({ team_id: teams[0].team_id, name: 'Harbour' })
  return [keys.length, new Set(keys).size]
}
